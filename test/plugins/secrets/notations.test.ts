// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts under test
import assert from 'node:assert/strict'
import { test } from 'node:test'
import plugin from '../../../plugins/secrets/index.ts'
import { harness } from '../../helpers/detector.ts'
import { NOTATIONS } from './data/notations.ts'

const redacting = harness(plugin as never, { input: 'redact' })
const VALUES: Readonly<Record<string, string>> = {
  pw: 'Tr0ub4dor&3x',
  uuid: '3d4f2bf0-7dc3-4a1c-9e6b-8f2a1d0c5e7b',
  h32: '3f9a1c7be2d84056a1b2c3d4e5f60718',
}
const TOKEN = 'a8F5kQ167z44fP9e6Wxc827Rt9Bv3NyLm2HgT6cVw0D'

for (const [language, rows] of Object.entries(NOTATIONS)) {
  test(`every notation of ${language} gives its value away, and nothing else`, async () => {
    for (const [template, shape] of rows) {
      const value = VALUES[shape] ?? TOKEN.slice(0, Number(shape.slice(1)))
      const [before, after] = template.split('{v}') as [string, string]
      const { text } = await redacting.input(`${before}${value}${after}`)
      assert.ok(text.startsWith(before) && text.endsWith(after), text)
      assert.match(text.slice(before.length, text.length - after.length), /^\[[A-Z_]+\]$/, template)
      assert.equal((await redacting.output([...`${before}${value}${after}`])).text, text)
    }
  })
}

test('the same notations without a secret stay', async () => {
  for (const text of [
    '{"name": "password", "value": "required"}',
    '{"key": "api_token", "type": "string", "value": "The token of your account"}',
    'env:\n  - name: DB_PASSWORD\n    value: ${DB_PASSWORD}',
    'env:\n  - name: DB_PASSWORD\n    valueFrom:\n      secretKeyRef: { name: db, key: password }',
    'variable "db_password" {\n  type = string\n  sensitive = true\n}',
    'password = password.encode("latin1")',
    'token = String::from("session_token_name")',
    'let secret = Some("MY_SECRET_NAME");',
    'const key = process.env.API_KEY || "your-api-key-here"',
    'token = os.getenv("API_TOKEN", "")',
    '<string name="password_hint">Use at least 8 characters</string>',
    '<key>CFBundleIdentifier</key><string>com.example.app2</string>',
    '<entry key="token">${token}</entry>',
    'The suspect was identified by "Agent 47" in 2019.',
    "CREATE USER bob IDENTIFIED BY 'password'",
    'docker login -u bob -p $TOKEN registry.example.com',
    'docker login --help; docker run -p 8080:80 nginx',
    'mysql -u root -p shop < dump.sql',
    'sshpass -p "$PASS" ssh host',
    'redis-cli -h cache -p 6379 -a "$REDIS_PASSWORD" ping',
    'jwt.sign({ sub: user.id }, config.secret, { expiresIn: "1h" })',
    'Cookie: theme=dark; lang=en-US; session=none',
    'echo build-2024.11.3x | tee version.txt',
    'echo "$PASSWORD" | sudo -S ls',
    'echo rel3ase-Notes4 | sudo tee /etc/motd',
    'unzip -p archive2024.zip > out; ls -a user:group4',
    'docker run -u 1000:1000 nginx; curl -a https://x:8443/y1',
    'vault login -method=oidc',
    'npm run zip -- -P ./dist/v2.1.0',
    'new NetworkCredential(user.Name, user.Password)',
    'docker run -u root -p 8080:80 -p 127.0.0.1:9090:9090 nginx',
    'psql -U postgres -p 5432 -d shop && ssh -l bob -p 2222 host',
    'cp -u -p notes2024.txt /mnt/backup7',
    'robocopy a b /u:1 /p:2; net user bob /delete',
    'python3 deploy.py shop/web:v1.2.3 && net.py --help',
    'expect "Password:" { send "$pass\\r" }',
    'kubectl create secret generic db --from-literal=password=$PASSWORD',
    'PASSWORD_PAGE = "reset-password-2"',
    'getToken(): string { return "getTokenFromHeader2" }',
    'get password() { return this.password2 }',
    'function passwordDev() { return "Enter the password 2" }',
    'x_pw = page12 + 1; img_pw: 120px; _pw = width2',
    'const sortKey string = "createdAt2024Descending"',
    '<password type="text">Password1</password>',
    'password <- "password1"; token <- readline("Token: ")',
    'ENV PASS_MAX_DAYS 99999',
    'auth_verbose_passwords=no|plain|sha1',
    "INSERT INTO users (password, name) VALUES ('hello', 'Tr0ub4dor&3x')",
    'INSERT INTO t (token, id) VALUES (?, ?); INSERT INTO t (a, password) VALUES (:a, :password)',
    "writeString('mysql_native_password', 'latin1')",
    'o.password="),[4,Le(e,It(r,o))];case 2',
    'header.Set("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")',
    'PASSWORD_FOR_ROOT = get_password2()',
    'password = strbuf12; token_test = token_type_2',
    '"d":"M12 3c0 1.1-.9 2-2 2H8", "k":"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"',
    'DriverManager.getConnection(url, "user", "password")',
    'git clone https://github.com/example/repository2024.git',
    'https://user-name-with-words@example.com/x',
  ]) {
    assert.equal((await redacting.input(text)).text, text)
    assert.equal((await redacting.output([...text])).text, text)
  }
})

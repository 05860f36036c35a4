/** Secrets in the forms of other languages, files, protocols and tools; each whole and at every split. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import plugin from '../../../plugins/secrets/index.ts'
import { harness, splits } from '../../helpers/detector.ts'

const h = harness(plugin as never, { input: 'redact' })

const PASSWORD = 'Xk9mQ2vLp7zR'

async function becomes(text: string, want: string): Promise<void> {
  assert.equal((await h.input(text)).text, want)
  for (const pieces of [[text], ...splits(text)])
    assert.equal((await h.output(pieces)).text, want, JSON.stringify(pieces))
}

const found = (name: string, ...templates: string[]) =>
  test(`is found: ${name}`, async () => {
    for (const template of templates)
      await becomes(template.replace('{p}', PASSWORD), template.replace('{p}', '[PASSWORD]'))
  })

const stays = (name: string, ...texts: string[]) =>
  test(`stays: ${name}`, async () => {
    for (const text of texts) await becomes(text, text)
  })

found(
  'a string with the prefix of its language',
  "CREATE LOGIN ann WITH PASSWORD = N'{p}'",
  "EXEC sp_addlinkedsrvlogin @rmtpassword=N'{p}'",
  "ALTER ROLE ann PASSWORD E'{p}'",
  'password = rb"{p}"',
  'password = u8"{p}"',
  'password = $@"{p}"',
)

found(
  'a part of a form',
  'Content-Disposition: form-data; name="password"\r\n\r\n{p}\r\n--x',
  'Content-Disposition: form-data; name="password"\nContent-Type: text/plain\n\n{p}\n--x--',
)

found('dumps of PHP', 'a:1:{s:8:"password";s:12:"{p}";}', 'array(1) {\n  ["password"]=>\n  string(12) "{p}"\n}')

found('the line below of YAML', 'password:\n  - {p}\nhost: x', '? password\n: {p}\nhost: x')

found(
  'settings of Windows',
  '<AutoLogon><Password><Value>{p}</Value></Password></AutoLogon>',
  '    DefaultPassword    REG_SZ    {p}\n',
  'reg add HKLM\\x /v DefaultPassword /t REG_SZ /d {p} /f',
)

found('the name of the user, in other languages', 'Passwort für ann: {p}', 'Mot de passe pour ann : {p}')

test('is found: a value before its name, a session of a recorded browser', async () => {
  const token = 'q8Zr3Lm0Vb7Nx2Kp5Ty9'
  await becomes(`{"value":"${token}","key":"api_key"}`, '{"value":"[TOKEN]","key":"api_key"}')
  await becomes(
    `"cookies":[{"name":"sessionid","value":"${token}"}]`,
    '"cookies":[{"name":"sessionid","value":"[SESSION_COOKIE]"}]',
  )
})

stays(
  'the same forms without a secret',
  'Content-Disposition: form-data; name="password"\r\n\r\nrequired\r\n--x',
  'password:\n  - required\n  - "min:8"\ntoken:\n- name: x2',
  '[["password"]=>\n  string(8) "required"',
  'DefaultPassword REG_SZ (value not set)',
  '{"value":"q8Zr3Lm0Vb7Nx2Kp5Ty9","key":"next_page_token"}, {"value":"q8Zr3Lm0Vb7Nx2Kp5Ty9","key":"cursor"}',
)

found(
  'transcripts',
  'USER ann\r\n331 Password required\r\nPASS {p}\r\n',
  'USER ann\nPASS {p}\n',
  'a1 LOGIN ann "{p}"\r\n',
)

found(
  'commands and files of tools',
  'vault kv put secret/app user=ann foo={p} && ls',
  'az keyvault secret set --name x --value {p}\n',
  'aws ssm put-parameter --name x --type SecureString \\\n  --overwrite --value "{p}"',
  'fly secrets set FOO={p} && ls',
  'rootpw --plaintext {p}\n',
  '*:*:*:postgres:{p}\n',
  'WIFI:S:home;T:WPA;P:{p};;',
)

test('is found: the login of SMTP, the token of cargo', async () => {
  await becomes('AUTH PLAIN AGFubgBYazltUTJ2THA3elI=\r\n', 'AUTH PLAIN [PASSWORD]\r\n')
  await becomes('cargo login q8Zr3Lm0Vb7Nx2Kp5Ty9q8Zr3Lm0Vb7\n', 'cargo login [TOKEN]\n')
})

stays(
  'the same tools without a secret',
  'The PASS rate2 of USER ann',
  'vault write auth/approle/login role_id=$ROLE && cargo login --registry crates2',
  'fly secrets set FOO="$FOO"; az keyvault secret set --name x --value $(cat key2)',
  'WIFI:S:home;T:nopass;;',
  '250-AUTH PLAIN LOGIN',
)

found('columns', 'COPY users (id, password) FROM stdin;\n1\t{p}\n\\\\.\n')

test('is found: every password of a column', async () => {
  const second = 'velvet-Mongo7781'
  for (const template of [
    'name,password,role\nann,{p},admin\nbob,,user\n"eve, x","{q}",user\nThe end.\nx,y1z2A3b4c5,z',
    'name;password;role\nann;{p};admin\n"eve; x";"{q}";user\nThe end.\nx;y1z2A3b4c5;z',
    'name\tpassword\nann\t{p}\nbob\t{q}\n\nx\ty1z2A3b4c5',
    '| name | password |\n|---|---|\n| ann | {p} |\n| bob | `{q}` |\n\nx | y1z2A3b4c5',
    ' id | password \n----+--------\n  1 | {p}\n  2 | {q}\n(2 rows)\n',
  ]) {
    const text = template.replace('{p}', PASSWORD).replace('{q}', second)
    await becomes(text, template.replace('{p}', '[PASSWORD]').replace('{q}', '[PASSWORD]'))
  }
})

stays(
  'tables without a password',
  'name,password\nann,required\nbob,8 characters\n',
  'suite,pass,fail\nunit,123456,2\n',
  'login(\nname,password\n)\nname2, password2(x1),\n',
  '| password | meaning |\n|---|---|\n| min_length | 12 |\n',
  'password\nann,Xk9mQ2vLp7zR\n',
  'user;\npassword;\nreturn Xk9mQ2vLp7zR;\n',
)

stays('an alphabet', 'UNRESERVED_PAT = r"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._!\\-~"')

test('is found: a password behind any name in a URL', async () => {
  for (const url of [
    ...[
      'smtp://ann%40x.example:{p}@localhost:587',
      'postgres://app%40srv:{p}@db/x',
      'redis://ann%40x.example:{p}@10.0.0.5',
    ],
    ...['http://ann,b:{p}@h.example', 'http://ann(b):{p}@h.example', 'ldap://cn=admin,dc=x:{p}@h'],
  ])
    await becomes(url.replace('{p}', PASSWORD), url.replace('{p}', '[URL_CREDENTIALS]'))
})

stays(
  'addresses with a port, a path or a version behind the @',
  'ssh://me@gateway:22@build7.example.com',
  'ssh://me@gateway:2222@build7',
  'git+ssh://git@example:team7@v1',
  'git+ssh://git@bitbucket.example.org:Team1@v1.2',
  'proxy://f(x):8080/Path1@Home2',
)

/**
 * Typical request text. Reading it at start builds the automaton's common states and warms up the compiler, so that
 * the first request saves about 50 ms.
 */
export const SAMPLE = `Dear Ms. Walker, thank you for your message of 12 March 2024. Please write to support@example.com or call
+44 20 7946 0958 or (201) 555-0123 ext. 12 between 9:00 and 17:30. The total is $1,234.50 (20 % VAT included), due by 2024-03-31,
IBAN DE89 3704 0044 0532 0130 00, card 4111-1111-1111-1111. Born on May 5, 1980; SSN 123-45-6789; 221b Baker Street, London.
{"id": 48213, "email": "jo.smith@mail.example.org", "phone": "+15550100", "ip": "192.168.1.17", "created_at": "2024-01-15T10:30:00Z"}
const total = items.map((x) => x.price * 1.19).reduce((a, b) => a + b, 0); // version 3.11.4, see #1234 and https://example.org/a?b=1
def main(argv): return [int(x) for x in argv[1:] if x.isdigit()]  # 0x1F, 1e-6, 550e8400-e29b-41d4-a716-446655440000, f3a9c1d
Sehr geehrte Frau Müller, am 3. Oktober um 8:17 Uhr fährt der Zug von Gleis 12; die Straße ist gesperrt (Hauptstraße 5, 10115 Berlin).
Le train de 7 h 30 coûte 29,90 €; téléphone 06 12 34 56 78, 12 rue de la Paix. El museo abre a las 10:00, DNI 12345678Z.
The quick brown fox jumps over the lazy dog while 15 people watch; in 1998 there were 2,000. What is 12 + 34? It is 46. I am 34 years old.`

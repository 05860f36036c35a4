import type { Detector } from '../engine/detector.ts'
import { words } from '../engine/words.ts'

export const vehiclePlate: Detector = {
  type: 'vehicle_plate',
  title: 'Vehicle plate in context',
  level: 'CONFIDENTIAL',
  check: 'letters and digits in context',
  onlyInContext: true,
  fewestDigits: 1,
  patterns: [
    '[A-Z0-9\\L]{1,4}([ \\-][A-Z0-9]{1,5}){1,3}',
    '[A-Z]{1,4}\\d{1,5}[A-Z]{0,3}',
    '\\d{1,4}[A-Z]{1,4}\\d{0,4}',
    '[A-Z0-9]{5,8}',
  ],
  context: words(`
    license plate, licence plate, number plate, plate number, plate no, plate, plates, registration plate,
    vehicle registration, reg plate, vrm, vrn, car registration, registration number, reg number, reg no,
    registered as, tag number, kennzeichen, autokennzeichen, kfz-kennzeichen, nummernschild,
    plaque d'immatriculation, immatriculation, immatriculée, immatriculé, plaque, matrícula, placa, patente, targa,
    targata, matrícula do carro, kenteken, tablica, numer rejestracyjny, registreringsnummer, rekisterinumero, 车牌,
    车牌号, ナンバープレート
  `),
  judge(m) {
    const { compactCount, digitCount } = m
    if (digitCount === 0 || digitCount === compactCount || compactCount < 4 || compactCount > 10) return 0
    // `RG 32.944.578-4`: the beginning of another number.
    if (/^\.\d/.test(m.following(2))) return 0
    const near = m.contextBefore()
    return near > 0.6 ? 0.55 + near * 0.3 : 0
  },
}

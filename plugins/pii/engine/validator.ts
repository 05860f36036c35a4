import isAbaRouting from 'validator/lib/isAbaRouting.js'
import isBIC from 'validator/lib/isBIC.js'
import isEAN from 'validator/lib/isEAN.js'
import isIBAN from 'validator/lib/isIBAN.js'
import isIdentityCard from 'validator/lib/isIdentityCard.js'
import isIP from 'validator/lib/isIP.js'
import isLatLong from 'validator/lib/isLatLong.js'
import isLuhnNumber from 'validator/lib/isLuhnNumber.js'
import isMACAddress from 'validator/lib/isMACAddress.js'
import isTaxID from 'validator/lib/isTaxID.js'

/** The functions that detectors use. The index of the package would load a hundred files more. */
export const validator = {
  isAbaRouting: isAbaRouting.default,
  isBIC: isBIC.default,
  isEAN: isEAN.default,
  isIBAN: isIBAN.default,
  isIP: isIP.default,
  isIdentityCard: isIdentityCard.default,
  isLatLong: isLatLong.default,
  isLuhnNumber: isLuhnNumber.default,
  isMACAddress: isMACAddress.default,
  isTaxID: isTaxID.default,
}

/** How clients connect: parts of `listen`. */
import type { JSONSchema } from 'json-schema-to-ts'

const file = (description: string) => ({ type: 'string', minLength: 1, description }) as const

export const listenTlsSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['cert_file', 'key_file'],
  description:
    'Serves https instead of http. PEM files relative to this file; new connections use them as soon as they change, and open connections stay. Default: http.',
  properties: {
    cert_file: file('Certificate of the gateway, followed by its chain.'),
    key_file: file('Private key of cert_file, not encrypted.'),
    ca_file: file('Authorities of client certificates. Default none; needed for client_certificates.'),
    min_version: {
      type: 'string',
      enum: ['TLSv1.2', 'TLSv1.3'],
      default: 'TLSv1.2',
      description: 'Oldest version of TLS. Default TLSv1.2.',
    },
    client_certificates: {
      type: 'string',
      enum: ['off', 'optional', 'required'],
      default: 'off',
      description:
        'off: none requested. optional: a valid certificate can replace an API key (keys[].client_certificate); an invalid one is ignored. required: connections without a valid one fail, including health checks. Default off.',
    },
  },
} as const satisfies JSONSchema

export const socketSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['path'],
  description: 'Listens on a unix socket; do not set host and port with it. Default: host and port.',
  properties: {
    path: file(
      'File of the socket, at most 100 bytes, relative to this file. A stale socket file is removed at the start.',
    ),
    mode: {
      type: 'string',
      pattern: '^0?[0-7]{3}$',
      default: '0660',
      description: 'Permissions of the socket, octal, in quotes. Default 0660: owner and group.',
    },
  },
} as const satisfies JSONSchema

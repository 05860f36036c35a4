import type { Json } from '../../contract/plugin.ts'
import { type FieldList, isObject } from '../../json/fields.ts'
import type { Path } from '../../json/strict.ts'
import { isToolChoice } from '../shapes.ts'
import { all, each, eachMember, type Known, members, numeric, objectOf, unseen, type Walk } from '../walk.ts'
import { id, kind } from './shapes.ts'

const definition = all('tool_definition')

/**
 * Secrets that the client gives to the provider on purpose, such as the token of an MCP server. A reply may repeat what the client
 * sent, which `RequestEcho` takes out; any other text there is inspected.
 */
const meant: Walk = (list, path, value) => {
  if (typeof value !== 'string' || !list.isRequest) definition(list, path, value)
}

/** Headers for an MCP server: names are text, values are meant secrets. */
const headers: Walk = (list, path, value) => {
  if (!isObject(value)) return definition(list, path, value)
  eachMember(list, path, value, (name, below, inner) => {
    list.add('tool_definition', below, name, undefined, 'key')
    meant(list, below, inner)
  })
}

const object = (known: Known): Walk => objectOf(known, 'tool_definition')

const secrets: Walk = (list, path, value) =>
  each(list, path, value, object({ domain: definition, name: definition, value: meant }))

const containerWith = (domainSecrets: Walk): Walk => {
  const known = object({
    type: kind,
    container_id: (list, path, value) => uninspected(list, path, value),
    file_ids: (list, path, value) => each(list, path, value, uninspected),
    memory_limit: definition,
    network_policy: object({ type: definition, allowed_domains: definition, domain_secrets: domainSecrets }),
    skills: (list, path, value) => {
      if (Array.isArray(value)) for (const _ of value) list.skip('skill')
      definition(list, path, value)
    },
  })
  return (list, path, value) => {
    if (typeof value === 'string') uninspected(list, path, value)
    else known(list, path, value)
  }
}

/** The id of content that the gateway cannot see. */
function uninspected(list: FieldList, path: Path, value: Json): void {
  if (value !== null) unseen(list, 'file', () => id(list, path, value))
}

const TOOL: Known = {
  type: kind,
  name: all('tool_name'),
  description: definition,
  parameters: definition,
  input_schema: definition,
  output_schema: definition,
  annotations: definition,
  format: definition,
  strict: numeric,
  defer_loading: numeric,
  tools: (list, path, value) => listedTools(list, path, value),
  server_label: all('tool_name'),
  server_url: definition,
  server_description: definition,
  connector_id: definition,
  authorization: definition,
  headers: definition,
  require_approval: definition,
  allowed_tools: definition,
  container: containerWith(definition),
  environment: containerWith(definition),
  vector_store_ids: (list, path, value) => each(list, path, value, uninspected),
  filters: definition,
  user_location: definition,
  search_context_size: definition,
  max_num_results: numeric,
  ranking_options: definition,
}

/** Tools of the provider that take meant secrets. */
const WITH_SECRETS: ReadonlyMap<Json | undefined, Known> = new Map([
  ['mcp', { ...TOOL, authorization: meant, headers }],
  ['code_interpreter', { ...TOOL, container: containerWith(secrets) }],
  ['shell', { ...TOOL, environment: containerWith(secrets) }],
])

/** The definition of a tool, also of one in the middle of the input. */
const tool: Walk = (list, path, value) => {
  if (!isObject(value)) return definition(list, path, value)
  const walk = () => members(list, path, value, WITH_SECRETS.get(value.type) ?? TOOL)
  // What its server gets and answers passes the provider only; a reply repeats the tool.
  if (value.type === 'mcp' && list.isRequest) unseen(list, 'mcp_server', walk)
  else walk()
}

/** A tool that is named or repeated, and not given to the provider. */
const listedTool = object(TOOL)

export const tools: Walk = (list, path, value) => each(list, path, value, tool)
export const listedTools: Walk = (list, path, value) => each(list, path, value, listedTool)

const CHOICE: Known = {
  type: kind,
  mode: (list, path, value) => {
    if (!isToolChoice(value)) definition(list, path, value)
    else list.pass(path, value as string)
  },
  name: all('tool_name'),
  server_label: all('tool_name'),
  tools: listedTools,
}

export const toolChoice: Walk = (list, path, value) => {
  if (isToolChoice(value)) return list.pass(path, value as string)
  if (isObject(value)) members(list, path, value, CHOICE)
  else list.addAll('tool_name', path, value)
}

const format = objectOf(
  {
    type: kind,
    name: all('response_schema'),
    description: all('response_schema'),
    schema: all('response_schema'),
    strict: numeric,
  },
  'response_schema',
)

/** The member `text` of a request, which is also echoed in replies. */
export const textOptions = (verbosity: Walk): Walk => objectOf({ format, verbosity }, 'response_schema')

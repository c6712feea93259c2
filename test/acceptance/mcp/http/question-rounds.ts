import { importBaseFarm, newBaseFarm, WATERING } from '../../../base-farm.ts';
import { templateStore } from '../../../stores/template-stores.ts';
import { copyOfStore } from '../../../temporary-places.ts';
import { CLOCK, type Json, runProgram } from '../../program.ts';
import { type RestService, serveStoreForTest } from '../../rest-service.ts';
import { type McpHttpResponse, mcpUrl, postMcp, toolCallRequest } from './mcp-http-client.ts';

export const AMBIGUOUS = { ...WATERING, module: 'North' };
export const ON_NORTH_2 = { ...WATERING, module: 'North 2', detail: 'full' };

const withoutFlowStore = templateStore(async (db) => {
  await importBaseFarm(db);
  const equipment = ['module=North 2', 'system=drip', 'effectiveFrom=2026-06-01 00:00'];
  await runProgram('call', 'set_module_installation', ...equipment, '--db', db, '--clock', CLOCK);
});

/** The equipment of North 2 has no flow rate. */
export const farmWithoutFlow = async (): Promise<string> => copyOfStore(await withoutFlowStore());

export interface Round {
  readonly requestState?: unknown;
  readonly inputResponses?: unknown;
}

export interface RoundOptions {
  readonly key: string;
  readonly capabilities?: object;
}

/** One round of a call in revision 2026-07-28. */
export function postRound(
  { base }: RestService,
  { key, capabilities = { elicitation: { form: {} } } }: RoundOptions,
  name: string,
  args: unknown,
  round: Round = {},
): Promise<McpHttpResponse> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  return postMcp(mcpUrl(base), {
    headers: {
      'x-api-key': key,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: toolCallRequest(name, args, { _meta, ...round }),
  });
}

export const answer = (name: string, value: unknown) => ({ [name]: { action: 'accept', content: { [name]: value } } });

/** The result of a round that ended with a question. */
export function questionOf({ body }: McpHttpResponse): Json {
  if (body.result?.resultType !== 'input_required') throw new Error(`No question: ${JSON.stringify(body)}`);
  return body.result;
}

export const serveWithKey = async (db?: string): Promise<{ service: RestService; key: string }> => {
  const service = await serveStoreForTest(db ?? (await newBaseFarm()), '--clock', CLOCK);
  return { service, key: await service.newKey('--surface', 'mcp') };
};

export async function waterings(service: RestService, key: string): Promise<Json[]> {
  return (await service.request('GET', '/irrigation/events', { key })).body.data;
}

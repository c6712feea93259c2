import type { AnyOperation } from '../../../../src/operation/operation.ts';
import { baseFarmForFile } from '../../../base-farm.ts';
import { afterFile } from '../../../cleanup.ts';
import { toolCallRequest } from '../../mcp/http/mcp-http-client.ts';
import { CLOCK } from '../../program.ts';
import { createTestKey, startServing } from '../../rest-service.ts';
import { restRequest } from '../../test-surfaces.ts';
import { EventLoopWatch } from './event-loop.ts';
import { restFieldsWith, toolArgumentsWith } from './hostile-arguments.ts';
import type { TextPlace } from './text-places.ts';

type SendArgument = (operation: AnyOperation, place: TextPlace, text: string) => Promise<unknown>;

export interface WatchedService {
  readonly watch: EventLoopWatch;
  readonly db: string;
  readonly base: string;
  readonly key: string;
  readonly callTool: SendArgument;
  readonly callRest: SendArgument;
  /** A request of JSON-RPC. */
  send(message: object): Promise<string>;
  post(path: string, type: string, body: string | Uint8Array<ArrayBuffer>): Promise<string>;
}

/** Serves the base farm for the tests of a file. */
export async function serveWatched(): Promise<WatchedService> {
  const watch = await EventLoopWatch.create();
  const db = await baseFarmForFile();
  const options = ['--rate-limit', '0', '--clock', CLOCK];
  const { base } = await startServing(db, options, { after: afterFile, env: watch.env });
  const { key } = await createTestKey(db, '--surface', 'mcp');

  const post: WatchedService['post'] = async (path, type, body) => {
    const headers = {
      'x-api-key': key,
      'content-type': type,
      accept: 'application/json, text/event-stream',
    };
    const response = await fetch(new URL(path, base), { method: 'POST', headers, body });
    return response.text();
  };
  const send: WatchedService['send'] = (message) =>
    post('/mcp', 'application/json', JSON.stringify(message));

  return {
    watch,
    db,
    base,
    key,
    send,
    post,
    callTool: (operation, place, text) =>
      send(toolCallRequest(operation.name, toolArgumentsWith(operation, place, text))),
    async callRest(operation, place, text) {
      const fields = restFieldsWith(operation, place, text);
      return (await restRequest(base, key, operation, fields)).text();
    },
  };
}

import type { ServerOptions, ToolServer } from '../../eval/mcp-server.ts';
import { operationForArguments, readToolArguments } from '../../src/operation/arguments/tool-arguments.ts';
import { localPerformer } from '../../src/operation/local-performer.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { toolsByName } from '../../tools/index.ts';

/** The tools without a process: starting one takes most of the time of a story. */
export function localServer({ db, clock }: ServerOptions): ToolServer {
  let opened: Promise<Store> | undefined;
  const storeOf = (): Promise<Store> => (opened ??= openStore({ db }));
  return {
    async call(name, args) {
      try {
        const operation = operationForArguments(toolsByName.get(name)!, args);
        const performer = localPerformer({
          ...{ store: await storeOf(), operations: toolsByName, source: 'mcp', lang: 'en' },
          clock: () => Date.parse(clock),
        });
        const { idempotencyKey, ...rawArguments } = args;
        const { body, changeId } = await performer.perform(operation, {
          rawArguments,
          idempotencyKey: idempotencyKey as string | undefined,
          readArguments: (context) => readToolArguments(operation, rawArguments, context),
        });
        return {
          text: JSON.stringify(body),
          isError: false,
          isWrite: changeId != null,
          body: { ...(body as object), changeId },
        };
      } catch (error) {
        return { text: String(error), isError: true, isWrite: false, body: null };
      }
    },
    describe: async () => ({ instructions: '', tools: [] }),
    close: async () => (await opened)?.close(),
  };
}

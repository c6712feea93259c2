import { toolsByName } from '../../../tools/index.ts';
import type { RequestHandlers } from '../../mcp/request-handlers.ts';
import { NEXT_PREFIX } from '../../mcp/tool-result.ts';
import { passesToolFilter } from '../../operation/tool-filter.ts';
import { type ProblemJson, plainError } from '../../schema/error.ts';
import { assertStoreExists } from '../process/command.ts';
import { lazyLog } from '../process/log.ts';
import { openObservability } from '../process/observability.ts';
import { printError } from '../process/output.ts';
import { openHandlers, openLocalStore } from '../process/request-handlers.ts';
import type { Settings } from '../process/settings.ts';

export async function requestTool(tool: string, args: Record<string, unknown>, settings: Settings) {
  const { db, remote } = settings;
  if (remote === null && !toolsByName.get(tool)?.worksWithoutCompany) assertStoreExists(db);
  return withHandlers(settings, async (handlers) => {
    const { isError, _meta, content, structuredContent } = await handlers.callTool(tool, args);
    if (isError) throw plainError(_meta!['acequia/error'] as ProblemJson);

    const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    const [summary = ''] = texts;
    const picture = content.find((part) => part.type === 'image');
    return {
      summary,
      next: texts.find((each) => each.startsWith(NEXT_PREFIX)) ?? null,
      body: structuredContent ?? null,
      picture: picture ? Buffer.from(picture.data, 'base64') : null,
    };
  });
}

/** Needs no store: without a remote service, the options alone determine the tools. */
export async function offeredTools(settings: Settings): Promise<ReadonlySet<string>> {
  const passing = [...toolsByName.values()].filter((each) =>
    passesToolFilter(settings.toolFilter, each),
  );
  const names = new Set(passing.map(({ name }) => name));
  if (settings.remote === null) return names;
  return (await withHandlers(settings, (handlers) => handlers.allowedOperations())) ?? names;
}

async function withHandlers<T>(
  settings: Settings,
  body: (handlers: RequestHandlers) => Promise<T>,
): Promise<T> {
  const log = lazyLog(settings.logLevel);
  const { observer, end } = await openObservability(log);
  const onBasePathChange = (url: string): void =>
    void printError(`The service is at ${url}, not at ${settings.remote}: use that address.\n`);

  const observation = {
    report: log.unexpectedError,
    observer,
    surface: 'cli',
    onBasePathChange,
  } as const;
  const handlers = await openHandlers(settings, observation, () =>
    openLocalStore(settings, observation),
  );
  try {
    return await body(handlers);
  } finally {
    await handlers.close();
    await end();
  }
}

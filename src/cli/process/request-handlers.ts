import { readFileSync } from 'node:fs';
import type { Catalog } from '../../mcp/catalog.ts';
import type { RequestHandlers } from '../../mcp/request-handlers.ts';
import type { Surface } from '../../observe/listener.ts';
import type { Observer } from '../../observe/observer.ts';
import type { ErrorReporter } from '../../schema/error.ts';
import type { OpenTransport } from '../mail/mail-transport.ts';
import type { Settings } from './settings.ts';

export interface CallObservation {
  readonly report: ErrorReporter;
  readonly observer: Observer;
  readonly surface: Surface;
  /** Called once if the remote service is at another address than the settings say. */
  readonly onFoundElsewhere?: (url: string) => void;
}

export async function openHandlers(
  settings: Settings,
  observation: CallObservation,
  openTransport?: OpenTransport | undefined,
): Promise<RequestHandlers> {
  const answers =
    settings.remote === null
      ? openLocal(settings, observation, openTransport)
      : openRemote(settings, settings.remote, observation);
  return withObservation(await answers, observation);
}

export async function unavailableHandlers(reason: unknown, observation: CallObservation): Promise<RequestHandlers> {
  const { handlersWithoutStore } = await import('../../mcp/request-handlers.ts');
  return withObservation(handlersWithoutStore(reason, observation.report), observation);
}

async function withObservation(
  answers: RequestHandlers,
  { observer, surface }: CallObservation,
): Promise<RequestHandlers> {
  const { observedHandlers } = await import('../../mcp/observed-handlers.ts');
  return observedHandlers(answers, observer, surface);
}

async function openLocal(
  { db, clock, lang, apiKey, toolFilter: reach }: Settings,
  { report, observer }: CallObservation,
  openTransport: OpenTransport | undefined,
): Promise<RequestHandlers> {
  const { openLocalHandlers } = await import('../../mcp/request-handlers.ts');
  return openLocalHandlers({ db, clock, lang, apiKey, toolFilter: reach, openTransport, report, observer });
}

async function openRemote(
  { clock, lang, apiKey: key, toolFilter }: Settings,
  url: string,
  { report, onFoundElsewhere }: CallObservation,
): Promise<RequestHandlers> {
  const [{ handlersFor }, { withToolFilter }, { remotePerformer }] = await Promise.all([
    import('../../mcp/request-handlers.ts'),
    import('../../operation/tool-filter.ts'),
    import('../../remote/remote-performer.ts'),
  ]);
  const performer = remotePerformer({ url, key, clock, lang, onFoundElsewhere });
  return handlersFor(withToolFilter(performer, toolFilter), report);
}

export const readCatalog = (): Catalog =>
  JSON.parse(readFileSync(new URL('./catalog.json', import.meta.url), 'utf8')) as Catalog;

import type { Answers } from '../mcp/answers.ts';
import type { Report } from '../operation/told.ts';
import type { OpenTransport } from './mail-way.ts';
import type { Settings } from './settings.ts';

/** What answers tools: the store, or the service that is named in its place; loaded when this is called. */
export const openAnswersOf = (
  settings: Settings,
  report: Report,
  openTransport?: OpenTransport | undefined,
): Promise<Answers> =>
  settings.remote === null ? openLocal(settings, report, openTransport) : openRemote(settings, settings.remote, report);

async function openLocal(
  { db, clock, lang, apiKey, reach }: Settings,
  report: Report,
  openTransport: OpenTransport | undefined,
): Promise<Answers> {
  const { openAnswers } = await import('../mcp/answers.ts');
  return openAnswers({ file: db, clock, lang, apiKey, reach, openTransport, report });
}

async function openRemote(
  { clock, lang, apiKey: key, reach }: Settings,
  url: string,
  report: Report,
): Promise<Answers> {
  const [{ answersBy }, { withinReach }, { remotePerformer }, { operationsByName: operations }] = await Promise.all([
    import('../mcp/answers.ts'),
    import('../operation/reach.ts'),
    import('../remote/remote-performer.ts'),
    import('../../tools/index.ts'),
  ]);
  return answersBy(withinReach(remotePerformer({ url, key, operations, clock, lang }), reach), report);
}

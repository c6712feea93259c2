import type { Answers } from '../mcp/answers.ts';
import type { Surface } from '../observe/listener.ts';
import type { Observer } from '../observe/observer.ts';
import type { Report } from '../operation/told.ts';
import type { OpenTransport } from './mail-way.ts';
import type { Settings } from './settings.ts';

/** Who hears of calls, and by which way these come in. */
export interface Hearing {
  readonly report: Report;
  readonly observer: Observer;
  readonly surface: Surface;
}

/** What answers tools: the store, or the service that is named in its place; loaded when this is called. */
export async function openAnswersOf(
  settings: Settings,
  hearing: Hearing,
  openTransport?: OpenTransport | undefined,
): Promise<Answers> {
  const answers =
    settings.remote === null
      ? openLocal(settings, hearing, openTransport)
      : openRemote(settings, settings.remote, hearing);
  return observed(await answers, hearing);
}

/** Answers every call with why there is nothing to answer from. */
export async function answersWithout(reason: unknown, hearing: Hearing): Promise<Answers> {
  const { answersWithoutStore } = await import('../mcp/answers.ts');
  return observed(answersWithoutStore(reason, hearing.report), hearing);
}

async function observed(answers: Answers, { observer, surface }: Hearing): Promise<Answers> {
  const { observedAnswers } = await import('../mcp/observed-answers.ts');
  return observedAnswers(answers, observer, surface);
}

async function openLocal(
  { db, clock, lang, apiKey, reach }: Settings,
  { report, observer }: Hearing,
  openTransport: OpenTransport | undefined,
): Promise<Answers> {
  const { openAnswers } = await import('../mcp/answers.ts');
  return openAnswers({ db, clock, lang, apiKey, reach, openTransport, report, observer });
}

async function openRemote(
  { clock, lang, apiKey: key, reach }: Settings,
  url: string,
  { report }: Hearing,
): Promise<Answers> {
  const [{ answersBy }, { withinReach }, { remotePerformer }, { toolsByName: operations }] = await Promise.all([
    import('../mcp/answers.ts'),
    import('../operation/reach.ts'),
    import('../remote/remote-performer.ts'),
    import('../../tools/index.ts'),
  ]);
  return answersBy(withinReach(remotePerformer({ url, key, operations, clock, lang }), reach), report);
}

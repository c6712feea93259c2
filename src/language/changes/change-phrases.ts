import type { Advisory } from '../../schema/advisory.ts';
import { type ChangeEntryFacts, englishQuestions, SURFACES } from '../en/questions.ts';
import { nextAction, sameCallWith } from '../next-calls.ts';

const SCHEDULE_STOPPED = ' The schedule stays with that, stopped.';
const ENTER_AGAIN = sameCallWith('idempotencyKey: a new one, to enter it anew');

function isAgain(logged: 'watering' | 'rain' | null): string {
  if (logged === null) return 'If this is a new order, send it';
  return `If it ${logged === 'rain' ? 'rained' : 'ran'} again, say so`;
}

type UndoneSince = Extract<Advisory, { kind: 'undone_since' }>;

export const changePhrases = {
  noValue: 'none',
  isOn: (isOn: boolean): string => (isOn ? 'active' : 'stopped'),
  readings: 'readings imported',
  undone: (effects: readonly string[], names: readonly string[], when: string) =>
    `Undone: ${englishQuestions.withNames(effects, names)}. It was entered ${when}.`,
  entry: ({ when, who, surface, effects, fields, isUndo, isUndone }: ChangeEntryFacts) =>
    `${when}${who === null ? '' : ` by ${who}`}, ${SURFACES[surface]}: ${[effects, ...fields].join(', ')}${isUndo ? ', by an undo' : ''}${isUndone ? ', undone since' : ''}`,
  newest: (entries: readonly string[]) => `The newest changes: ${entries.join('; ')}.`,
  alreadyDone: (verb: 'logged' | 'done', when: string | null, span: string | null) =>
    `Already ${verb} ${when ?? 'before'}${span === null ? '' : `, for ${span}`}`,
  wroteNothing: (logged: 'watering' | 'rain' | null) =>
    `nothing new was written. ${isAgain(logged)} with another key.${ENTER_AGAIN}`,
  firstAnswer: 'The first answer:',
  undoneSince: ({ keptWaterings, isScheduleKept, isOfStored }: UndoneSince) => {
    if (keptWaterings > 0)
      return `This was undone since, but ${changePhrases.begunStay(keptWaterings)}.${isScheduleKept ? SCHEDULE_STOPPED : ''}${ENTER_AGAIN}`;
    return isOfStored
      ? `This change was undone since: what it changed stands as before.${ENTER_AGAIN}`
      : `This was undone since: nothing of it is stored.${ENTER_AGAIN}`;
  },
  changedSince: (effects: readonly string[]) => `This was changed since: ${effects.join(', ')}.`,
  begunStay: (count: number) =>
    count === 1 ? '1 watering had begun and stays' : `${count} waterings had begun and stay`,
  rowsWithheld: (scopes: string) =>
    `Some changed values are not shown, because your key does not allow to read them.${nextAction(`a key with ${scopes} shows them`)}`,
  begunKept: (waterings: readonly string[], count: number, isScheduleKept: boolean) => {
    const others = count - waterings.length;
    const listed = waterings.length > 0 && others > 0 ? `; and ${others} more` : '';
    const names = waterings.length === 0 ? '' : `: ${waterings.join('; ')}${listed}`;
    return `${changePhrases.begunStay(count)}${names}.${isScheduleKept ? SCHEDULE_STOPPED : ''}`;
  },
  none: 'Nothing was changed yet.',
};

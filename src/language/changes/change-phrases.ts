import { type ChangeEntryFacts, englishQuestions, SURFACES } from '../en/questions.ts';
import { nextAction, sameCallWith } from '../next-calls.ts';

export const changePhrases = {
  noValue: 'none',
  isOn: (isOn: boolean): string => (isOn ? 'active' : 'stopped'),
  readings: 'readings imported',
  undone: (effects: readonly string[], names: readonly string[], when: string) =>
    `Undone: ${englishQuestions.withNames(effects, names)}. It was entered ${when}.`,
  entry: ({ when, who, surface, effects, fields, isUndo, isUndone }: ChangeEntryFacts) =>
    `${when}${who === null ? '' : ` by ${who}`}, ${SURFACES[surface]}: ${[effects, ...fields].join(', ')}${isUndo ? ', by an undo' : ''}${isUndone ? ', undone since' : ''}`,
  newest: (entries: readonly string[]) => `The newest changes: ${entries.join('; ')}.`,
  undoneSince: `This was undone since: nothing of it is stored.${sameCallWith('idempotencyKey: a new one, to enter it again')}`,
  rowsWithheld: (scopes: string) =>
    `Some changed values are not shown, because your key does not allow to read them.${nextAction(`a key with ${scopes} shows them`)}`,
  begunKept: (waterings: readonly string[], count: number, isScheduleKept: boolean) => {
    const others = count - waterings.length;
    const listed = waterings.length > 0 && others > 0 ? `; and ${others} more` : '';
    const names = waterings.length === 0 ? '' : `: ${waterings.join('; ')}${listed}`;
    const which =
      count === 1 ? '1 watering had begun and stays' : `${count} waterings had begun and stay`;
    return `${which}${names}.${isScheduleKept ? ' The schedule stays with that, stopped.' : ''}`;
  },
  none: 'Nothing was changed yet.',
};

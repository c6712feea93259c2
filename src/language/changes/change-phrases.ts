import { type ChangeEntryFacts, englishQuestions, SURFACES } from '../en/questions.ts';

export const changePhrases = {
  noValue: 'none',
  isOn: (isOn: boolean): string => (isOn ? 'active' : 'stopped'),
  readings: 'readings imported',
  undone: (effects: readonly string[], names: readonly string[], when: string) =>
    `Undone: ${englishQuestions.withNames(effects, names)}. It was entered ${when}.`,
  entry: ({ when, who, surface, effects, fields, isUndo, isUndone }: ChangeEntryFacts) =>
    `${when}${who === null ? '' : ` by ${who}`}, ${SURFACES[surface]}: ${[effects, ...fields].join(', ')}${isUndo ? ', by an undo' : ''}${isUndone ? ', undone since' : ''}`,
  newest: (entries: readonly string[]) => `The newest changes: ${entries.join('; ')}.`,
  undoneSince: (changeId: number) =>
    `This was undone since, by change ${changeId}: nothing of it is stored. To enter it again, repeat it with a new idempotencyKey.`,
  rowsWithheld: (scopes: string) =>
    `Some changed values are not shown, because the scope to read them is missing (${scopes}).`,
  none: 'Nothing was changed yet.',
};

import { nextAction, nextCall, sameCallWith } from './next-calls.ts';

export const answerPhrases = {
  onlyProbe: (parcel: string, probe: string) =>
    `${parcel} has one probe, ${probe}, which was used.`,
  understoodName: (text: string, name: string) => `${text} was understood as ${name}.`,
  skippedTime: (text: string, clock: string) =>
    `${text} does not exist, because the clocks go forward: ${clock} was used.`,
  repeatedTime: (text: string, clock: string) =>
    `${text} occurs twice that day, because the clocks go back: the first ${clock} (summer time) was used.`,
  incompleteAnswer: (paths: readonly string[], more: number) => {
    const fields = paths.join(', ') + (more > 0 ? ` and ${more} more` : '');
    return `The service answered, but fields are missing that a summary needs${fields === '' ? '' : ` (${fields})`}: read the structured result.`;
  },
  undeclaredZone: (zone: string) =>
    `The company has no time zone, so times are in ${zone}.${nextCall('set_company', 'timezone')}`,
  nextPage: sameCallWith('cursor: next_cursor'),
  thereAreMore: `There are more.${sameCallWith('cursor: next_cursor')}`,
  rowsLeftOut: (shown: number, all: number, hasPages: boolean) =>
    `Only the first ${shown} of these ${all} rows are given, because the answer would be too long.${
      hasPages
        ? nextAction(`this call again with limit: ${shown}, then with cursor: its next_cursor`)
        : nextAction('this call again for a shorter period or fewer probes')
    }`,
  total: (count: number) => `${count} in all.`,
};

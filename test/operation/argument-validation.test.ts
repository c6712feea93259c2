import { expect, it } from 'vitest';
import { validateArguments } from '../../src/operation/argument-validation.ts';
import { operationsByName } from '../../tools/index.ts';

/** What is said of the fields of an operation; a text that no test expects where nothing is. */
function messageFor(name: string, fields: Record<string, unknown>): string {
  try {
    validateArguments(operationsByName.get(name)!, fields);
    return 'nothing';
  } catch (error) {
    return (error as Error).message;
  }
}

const WATERING = { moduleId: 1, startedAt: '2026-07-01T06:00:00Z', inputMode: 'duration', durationMin: 40 };

it.each([
  ['an id that is no UUID', 'delete_annotation', { annotationId: 'seven' }, 'a UUID is needed'],
  ['a number for a code', 'log_watering', { ...WATERING, status: 5 }, 'one of planned, done, skipped is needed'],
  ['another code', 'log_watering', { ...WATERING, status: 'gone' }, 'one of planned, done, skipped is needed'],
  ['half a number', 'list_waterings', { scheduleId: 1.5 }, 'a whole number is needed'],
])('says what is needed in place of %s', (_, name, fields, needed) => {
  expect(messageFor(name, fields)).toContain(`is not right: ${needed}.`);
});

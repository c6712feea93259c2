import { expect, it } from 'vitest';
import { validateArguments } from '../../../src/operation/arguments/argument-validation.ts';
import { inputFields } from '../../../src/operation/operation-fields.ts';
import { operationsByName } from '../../../tools/index.ts';

function messageFor(name: string, fields: Record<string, unknown>): string {
  try {
    validateArguments(inputFields(operationsByName.get(name)!), fields);
    return 'nothing';
  } catch (error) {
    return (error as Error).message;
  }
}

const WATERING = {
  moduleId: 1,
  startedAt: '2026-07-01T06:00:00Z',
  inputMode: 'duration',
  durationMin: 40,
};

it.each([
  ['an id that is no UUID', 'delete_annotation', { annotationId: 'seven' }, 'it must be a UUID'],
  [
    'a number for a code',
    'log_watering',
    { ...WATERING, status: 5 },
    'it must be one of planned, done, skipped',
  ],
  [
    'another code',
    'log_watering',
    { ...WATERING, status: 'gone' },
    'it must be one of planned, done, skipped',
  ],
  ['half a number', 'list_waterings', { scheduleId: 1.5 }, 'it must be a whole number'],
  ['what is no text', 'set_module', { name: {} }, 'it must be text'],
  [
    'a number that no store keeps',
    'set_module',
    { name: 'N', number: 2 ** 53 },
    'it must be at most 1000000',
  ],
  [
    'more than a limit, whose unit REST does not repeat',
    'log_watering',
    { ...WATERING, durationMin: 44_641 },
    'it must be at most 44640',
  ],
  ['a list for an id', 'get_module', { moduleId: [1] }, 'it must be a number'],
  ['what has two kinds', 'undo', { changeId: true }, 'it must be a number or "latest"'],
])('says what must replace %s', (_, name, fields, expected) => {
  expect(messageFor(name, fields)).toContain(`is not valid: ${expected}.`);
});

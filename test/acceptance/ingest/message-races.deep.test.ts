import { it } from 'vitest';
import { expectOnlyOwnReadings } from './foreign-topics.ts';
import { expectEachMessageOnce, expectNothingLost } from './message-races.ts';

it('loses and duplicates no message over MQTT when it is killed five times', () =>
  expectNothingLost({ messages: 1_500, kills: 5 }));

it('takes forty messages that two processes get at once, each once', () =>
  expectEachMessageOnce({ messages: 40 }));

it.each(['the store', 'a service'] as const)(
  'skips unusable messages and those for another company, with wildcards, NUL or great length, into %s',
  expectOnlyOwnReadings,
);

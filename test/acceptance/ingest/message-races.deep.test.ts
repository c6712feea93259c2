import { it } from 'vitest';
import { expectOnlyOwnReadings } from './foreign-topics.ts';
import { expectEachMessageOnce, expectNothingLost } from './message-races.ts';

it('loses and duplicates no message over MQTT when it is killed five times', () =>
  expectNothingLost({ messages: 1_500, kills: 5 }));

it('takes forty messages that two processes get at once, each once', () =>
  expectEachMessageOnce({ messages: 40 }));

it('writes nothing for topics of another company into a service', () =>
  expectOnlyOwnReadings('a service'));

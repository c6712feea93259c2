import { describe, expect, it } from 'vitest';
import { gatheredMessages, gatheringEnd } from '../../../src/domain/alerts/message-gathering.ts';

const MINUTE = 60_000;
const AT = Date.UTC(2026, 6, 1, 10);

/** Instants as minutes after 10:00. */
const at = (minutes: number) => AT + minutes * MINUTE;
const first = (minutes: number) => ({ createdAt: at(minutes), isFirst: true });
const repeated = (minutes: number) => ({ createdAt: at(minutes), isFirst: false });
const six = [-50, -40, -30, -20, -10, -1].map(at);

describe('messages to one person', () => {
  it('are due at once if none was sent in their minute', () => {
    expect(gatheringEnd([first(0.5)], [at(-0.1), at(1)])).toBe(at(0.5));
  });

  it('are due at the end of their minute if one was sent in it, so that the others of it go as one', () => {
    expect(gatheringEnd([first(0.5), first(0.7)], [at(0.1)])).toBe(at(1));
  });

  it('are gathered for less than ten minutes once six were sent within an hour', () => {
    expect(gatheringEnd([repeated(0), repeated(5)], six)).toBe(at(9));
    expect(gatheringEnd([repeated(0)], six.slice(1))).toBe(at(0));
  });

  it('wait no more than a minute for the first alert of a day, however many were sent', () => {
    expect(gatheringEnd([repeated(0), first(3)], six)).toBe(at(3));
    expect(gatheringEnd([repeated(0), first(3.2)], [...six, at(3)])).toBe(at(4));
  });

  it('go together if they were written within nine minutes', () => {
    const messages = [0, 8, 9, 10].map((minutes) => ({ createdAt: at(minutes) }));
    expect(gatheredMessages(messages)).toEqual(messages.slice(0, 3));
  });
});

import { expect, it } from 'vitest';
import { isListed, surplusMessages } from '../../../src/domain/ingest/unread-messages.ts';
import { DAY } from '../../time.ts';

const NOW = Date.UTC(2026, 6, 1);

it('keeps the newest three messages of each of the newest hundred senders', () => {
  const messages = Array.from({ length: 500 }, (_, index) => ({
    sender: `device ${index % 110}`,
    via: null,
    received_at: NOW,
    index,
  }));
  const surplus = new Set(surplusMessages(messages, NOW));
  const kept = messages.filter((message) => !surplus.has(message));
  expect(kept).toHaveLength(300);
  expect(new Set(kept.map(({ sender }) => sender)).size).toBe(100);
  expect(kept.every(({ index }) => index < 330)).toBe(true);
});

it('keeps those that name no device for a week, and of twenty senders', () => {
  const messages = Array.from({ length: 30 }, (_, index) => ({
    sender: `topic/${index}`,
    via: `topic/${index}`,
    received_at: NOW - index * (DAY / 4),
  }));
  const device = { sender: 'soil-1', via: 'topic/1', received_at: NOW - 40 * DAY };
  const surplus = surplusMessages([...messages, device], NOW);
  expect(surplus).toEqual(messages.slice(20));
  expect([isListed(device, NOW), isListed(messages[28]!, NOW)]).toEqual([true, false]);
});

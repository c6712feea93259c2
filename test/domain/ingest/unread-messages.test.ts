import { expect, it } from 'vitest';
import { surplusMessages } from '../../../src/domain/ingest/unread-messages.ts';

it('keeps the newest three messages of each of the newest hundred senders', () => {
  const messages = Array.from({ length: 500 }, (_, index) => ({
    sender: `device ${index % 110}`,
    index,
  }));
  const surplus = new Set(surplusMessages(messages));
  const kept = messages.filter((message) => !surplus.has(message));
  expect(kept).toHaveLength(300);
  expect(new Set(kept.map(({ sender }) => sender)).size).toBe(100);
  expect(kept.every(({ index }) => index < 330)).toBe(true);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  admitDevices,
  MAX_UNASSIGNED_DEVICES,
  type UnassignedDevice,
} from '../../../src/domain/ingest/unassigned-devices.ts';

const DAY = 86_400_000;
const NOW = 100 * DAY;

function devices(
  sender: string | null,
  count: number,
  others: Partial<UnassignedDevice> = {},
): UnassignedDevice[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `${sender} ${index}`,
    sender,
    firstSeenAt: NOW - DAY + index,
    lastSeenAt: NOW - 1,
    isListed: false,
    ...others,
  }));
}

function newDevices(sender: string, ...names: string[]) {
  return { sender, names, sending: new Set(names), now: NOW };
}

const decide = (stored: readonly UnassignedDevice[], sender: string, ...names: string[]) => {
  const { added, replaced } = admitDevices(stored, newDevices(sender, ...names));
  return { added: [...added], replaced };
};

describe('a new device that is not assigned', () => {
  it('gets a free place, however many its sender has', () => {
    const stored = devices('a', MAX_UNASSIGNED_DEVICES - 1);
    expect(decide(stored, 'a', 'new')).toEqual({ added: ['new'], replaced: [] });
  });

  it('replaces the oldest of its sender that nobody has seen', () => {
    const [oldest, second, ...others] = devices('a', MAX_UNASSIGNED_DEVICES);
    const stored = [...others, second!, { ...oldest!, isListed: true }];
    expect(decide(stored, 'a', 'new')).toEqual({ added: ['new'], replaced: ['a 1'] });
  });

  it('gets no place if somebody has seen all devices of its sender', () => {
    const stored = devices('a', MAX_UNASSIGNED_DEVICES, { isListed: true });
    expect(decide(stored, 'a', 'new')).toEqual({ added: [], replaced: [] });
  });

  it('does not replace a device of the same batch', () => {
    const names = Array.from({ length: MAX_UNASSIGNED_DEVICES + 2 }, (_, index) => `d${index}`);
    expect(decide([], 'a', ...names)).toEqual({
      added: names.slice(0, MAX_UNASSIGNED_DEVICES),
      replaced: [],
    });
  });

  it('of another sender takes a place of the one with the most, also of a device that was seen', () => {
    const stored = [...devices('a', 150, { isListed: true }), ...devices('b', 50)];
    expect(decide(stored, 'c', 'new')).toEqual({ added: ['new'], replaced: ['a 0'] });
  });

  it('of a sender with its share leaves the places of others alone', () => {
    const stored = [...devices('a', 99), ...devices('b', 101)];
    expect(decide(stored, 'b', 'new').replaced).toEqual(['b 0']);
    expect(decide(stored, 'a', 'new', 'newer').replaced).toEqual(['b 0', 'a 0']);
  });

  it('takes a place of unknown senders, which share one', () => {
    const stored = devices(null, MAX_UNASSIGNED_DEVICES, { isListed: true });
    expect(decide(stored, 'a', 'new').replaced).toEqual(['null 0']);
  });

  it('replaces what has not sent for 30 days before anything else, the longest silent first', () => {
    const silent = devices('b', 2, { isListed: true }).map((device, index) => ({
      ...device,
      lastSeenAt: NOW - (31 + index) * DAY,
    }));
    const stored = [...devices('a', MAX_UNASSIGNED_DEVICES - 2), ...silent];
    expect(decide(stored, 'a', 'x', 'y', 'z').replaced).toEqual(['b 1', 'b 0', 'a 0']);
  });
});

const sender = fc.constantFrom('a', 'b', 'c', 'd');
const batch = fc.record({
  sender,
  count: fc.integer({ min: 1, max: 230 }),
  isListed: fc.boolean(),
});

it('never exceeds the limit, and never keeps a sender below its share', () => {
  fc.assert(
    fc.property(fc.array(batch, { maxLength: 12 }), sender, (batches, last) => {
      let stored: UnassignedDevice[] = [];
      for (const [index, { sender, count, isListed }] of batches.entries()) {
        const names = Array.from({ length: count }, (_, each) => `${index} ${each}`);
        const admitted = admitDevices(stored, newDevices(sender, ...names));
        const remaining = stored.filter(({ name }) => !admitted.replaced.includes(name));
        const fields = { sender, firstSeenAt: index, lastSeenAt: NOW, isListed };
        stored = [...remaining, ...[...admitted.added].map((name) => ({ name, ...fields }))];
        expect(stored.length).toBeLessThanOrEqual(MAX_UNASSIGNED_DEVICES);
      }

      const senders = new Set([last, ...stored.map((device) => device.sender)]);
      const share = Math.floor(MAX_UNASSIGNED_DEVICES / senders.size);
      const own = stored.filter((device) => device.sender === last).length;
      const { added } = admitDevices(stored, newDevices(last, 'new'));
      if (own < share) expect(added.size).toBe(1);
    }),
  );
});

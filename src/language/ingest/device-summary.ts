import { fieldNameOf } from '../../domain/ingest/field-choices.ts';
import { quote } from '../../domain/text.ts';
import type { ListedDevice, ListedUnread } from '../../schema/ingest/device.ts';
import type { SummaryContext } from '../summary-context.ts';
import { formatTimeWithZone } from '../time.ts';

export function summarizeDevices(
  { data, unread }: { data: readonly ListedDevice[]; unread: readonly ListedUnread[] },
  context: SummaryContext,
): string {
  const unassigned = data.filter(({ moduleId }) => moduleId === null);
  const assigned = data.flatMap(({ device, module }) =>
    module === null ? [] : [`${quote(device)} (${module})`],
  );

  const sentences: string[] = [];
  if (data.length === 0) sentences.push('No device has given readings yet.');
  if (unassigned.length > 0)
    sentences.push(`Not assigned to a module: ${unassigned.map(describeUnassigned).join('; ')}.`);
  if (assigned.length > 0) sentences.push(`Assigned: ${assigned.join(', ')}.`);
  for (const { sender, receivedAt, reason } of unread)
    sentences.push(
      `A message of ${quote(sender)} gave nothing (${formatTimeWithZone(receivedAt, context)}): ${reason}.`,
    );
  return sentences.join(' ');
}

function describeUnassigned({ device, storedUnassigned, newest }: ListedDevice): string {
  const values = newest.map(({ type, depth, value }) => {
    const name = fieldNameOf(type) ?? type;
    return depth === null ? `${name} ${value}` : `${name} ${value} at ${depth} cm`;
  });
  return values.length === 0
    ? quote(device)
    : `${quote(device)} (${storedUnassigned} readings stored; newest ${values.join(', ')})`;
}

import { fieldInSentence } from '../../domain/ingest/field-choices.ts';
import { quote } from '../../domain/text.ts';
import type { AssignedDevice, ListedDevice, ListedUnread } from '../../schema/ingest/device.ts';
import { englishFormat } from '../en/grammar.ts';
import { devicePhrases } from '../monitoring/device-phrases.ts';
import { nextCall } from '../next-calls.ts';
import type { SummaryContext } from '../summary-context.ts';
import { formatTimeWithZone } from '../time.ts';
import { needsDepths, sentFields } from './field-texts.ts';
import { suggestedFields } from './suggested-fields.ts';

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
    sentences.push(
      `Not assigned to a probe: ${unassigned.map(describeUnassigned).join('; ')}.${unassigned.slice(0, MAX_NEXT_CALLS).map(nextAssignment).join('')}`,
    );
  if (assigned.length > 0) sentences.push(`Assigned: ${assigned.join(', ')}.`);
  for (const { sender, receivedAt, reason } of unread)
    sentences.push(
      `A message of ${quote(sender)} ${devicePhrases.outcomeOfMessage(reason)} (${formatTimeWithZone(receivedAt, context)}): ${reason}.`,
    );
  return sentences.join(' ');
}

/** Of a list; the others follow the same form. */
const MAX_NEXT_CALLS = 3;

function nextAssignment({ device, newest }: ListedDevice): string {
  const fields = sentFields(newest);
  const isKnown = fields.length < newest.length || fields.length === 0;
  const known = needsDepths(newest) ? ['depths'] : [];
  const more = isKnown ? known : [`fields: ${suggestedFields(fields)}`];
  return nextCall('assign_device', `device: ${device}`, 'module', ...more);
}

export function summarizeAssignedDevice({
  device,
  module,
  depths,
  fields,
  earlierReadings,
}: AssignedDevice): string {
  const sentences = [
    devicePhrases.assignedTo(
      quote(module),
      quote(device),
      depths.length === 0 ? null : englishFormat.list(depths.map(englishFormat.number)),
      earlierReadings,
    ),
  ];
  if (fields.length > 0) sentences.push(devicePhrases.fields(englishFormat.list(fields)));
  return sentences.join(' ');
}

function describeUnassigned({ device, storedUnassigned, newest }: ListedDevice): string {
  const values = newest.map(({ type, depth, value }) => {
    const field = fieldInSentence(type);
    const name = field === null ? type : quote(field);
    return depth === null ? `${name} ${value}` : `${name} ${value} at ${depth} cm`;
  });
  return values.length === 0
    ? quote(device)
    : `${quote(device)} (${storedUnassigned} readings stored; newest ${values.join(', ')})`;
}

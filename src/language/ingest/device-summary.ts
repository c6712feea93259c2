import { fieldInSentence } from '../../domain/ingest/field-choices.ts';
import { exact } from '../../domain/text/figures.ts';
import {
  call,
  commaSeparated,
  join,
  list,
  name,
  quotedName,
  say,
  sentences,
  verbatim,
  word,
} from '../../domain/text/say.ts';
import type { NextCall, Text } from '../../domain/text/text.ts';
import { timeWithZone } from '../../domain/text/times.ts';
import type { Advisory } from '../../schema/advisory.ts';
import type { AssignedDevice, ListedDevice, ListedUnread } from '../../schema/ingest/device.ts';
import { describeDepths, describeEarlierReadings } from './device-advisories.ts';
import { needsDepths, sentFields } from './field-texts.ts';
import { suggestedFields } from './suggested-fields.ts';
import { outcomeOfMessage, positionsReadInPart } from './unread-reasons.ts';

interface ListedDevices {
  readonly data: readonly ListedDevice[];
  readonly unread: readonly ListedUnread[];
}

export function summarizeDevices(
  { data, unread }: ListedDevices,
  advisories: readonly Advisory[],
): Text {
  const readInPart = positionsReadInPart(advisories);
  const unassigned = data.filter(({ moduleId }) => moduleId === null);
  const assigned = data.flatMap(({ device, module }) =>
    module === null ? [] : [say`${quotedName(device)} (${name(module)})`],
  );
  return sentences([
    data.length === 0 ? say`No device has given readings yet.` : null,
    unassigned.length === 0 ? null : describeAllUnassigned(unassigned),
    assigned.length === 0 ? null : say`Assigned: ${commaSeparated(assigned)}.`,
    ...unread.map((message, position) => describeUnread(message, readInPart.has(position))),
  ]);
}

const describeUnread = (
  { sender, receivedAt, reason }: ListedUnread,
  isReadInPart: boolean,
): Text =>
  say`A message of ${quotedName(sender)} ${word(outcomeOfMessage(isReadInPart))} (${timeWithZone(receivedAt)}): ${verbatim(reason)}.`;

/** The others of a list follow the same form. */
const MAX_NEXT_CALLS = 3;

function describeAllUnassigned(devices: readonly ListedDevice[]): Text {
  const calls = devices.slice(0, MAX_NEXT_CALLS).map(nextAssignment);
  return say`Not assigned to a probe: ${join(devices.map(describeUnassigned), say`; `)}.${join(calls, say``)}`;
}

function nextAssignment({ device, newest }: ListedDevice): NextCall {
  const fields = sentFields(newest);
  const isKnown = fields.length < newest.length || fields.length === 0;
  const known = needsDepths(newest) ? ['depths'] : [];
  const more = isKnown ? known : [`fields: ${suggestedFields(fields)}`];
  return call('assign_device', `device: ${device}`, 'module', ...more);
}

function describeUnassigned({ device, storedUnassigned, newest }: ListedDevice): Text {
  const values = newest.map(({ type, depth, value }) => {
    const field = fieldInSentence(type);
    const called = field === null ? name(type) : quotedName(field);
    const at = depth === null ? null : say` at ${exact(depth, 'cm')}`;
    return say`${called} ${exact(value)}${at}`;
  });
  return values.length === 0
    ? say`${quotedName(device)}`
    : say`${quotedName(device)} (${storedUnassigned} readings stored; newest ${commaSeparated(values)})`;
}

export function summarizeAssignedDevice({
  device,
  module,
  depths,
  fields,
  earlierReadings,
}: AssignedDevice): Text {
  const earlier =
    earlierReadings === 0
      ? say`Nothing that it sent was waiting`
      : say`${describeEarlierReadings(earlierReadings)} stored`;
  return sentences([
    say`The readings of ${quotedName(module)} come from ${quotedName(device)} now${describeDepths(depths)}. ${earlier}.`,
    fields.length === 0 ? null : say`Its fields: ${list(fields.map(name))}.`,
  ]);
}

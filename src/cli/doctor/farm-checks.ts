import { isFormerMember } from '../../domain/company/former-member.ts';
import { addressFault, addressKey } from '../../domain/company/mail-address.ts';
import { roundTo } from '../../domain/decimal.ts';
import { groupBy } from '../../domain/groups.ts';
import { isFieldType } from '../../domain/ingest/field-choices.ts';
import { isReadInPart, type UnreadReason } from '../../domain/ingest/unread-reason.ts';
import { firstOf } from '../../domain/items.ts';
import { isFreshAt, MAX_FRESH_AGE_MS } from '../../domain/moisture/coverage.ts';
import { quote, visibleText } from '../../domain/strings.ts';
import { programText } from '../../domain/text/program-text.ts';
import { quotedName } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { moduleDisplayName } from '../../language/default-names.ts';
import {
  describeDeviceReading,
  describeTemperature,
} from '../../language/ingest/device-readings.ts';
import { needsDepths, withAirHumidity } from '../../language/ingest/field-texts.ts';
import { outcomeOfMessage } from '../../language/ingest/unread-reasons.ts';
import { renderForAll } from '../../language/text/render.ts';
import { toIsoOrNull } from '../../schema/wire-format.ts';
import { allCompanies, membersOfAllCompanies } from '../../store/company/companies.ts';
import { allErasures } from '../../store/company/erasures.ts';
import { assignedDevicesOfAll } from '../../store/ingest/devices.ts';
import { unassignedDevices } from '../../store/ingest/unassigned-readings.ts';
import { unreadMessagesOfAll } from '../../store/ingest/unread-messages.ts';
import { doubtfulTemperaturesOfAll } from '../../store/moisture/doubtful-temperatures.ts';
import type { StoreView } from '../../store/store-interface.ts';
import { shellWord } from '../connect/client-snippets.ts';
import { formatTerminalCount } from '../process/output.ts';
import { terminalText } from '../terminal-text.ts';
import { type DoctorFinding, findingsAbout, formatRoughDuration } from './findings.ts';

/** The companies and devices that are named. */
const MAX_NAMED = 5;
/** A weather station sends five. */
const MAX_READINGS_PER_DEVICE = 5;
const VALUE_DECIMALS = 2;

/** Returns no finding if there is one company, because calls need no key then. */
export async function checkCompanies(
  view: StoreView | null,
  apiKey: string | null,
): Promise<DoctorFinding[]> {
  if (view === null) return [];

  const companies = await view.read(allCompanies);
  const newFinding = findingsAbout('companies');
  if (companies.length === 1) return [];
  if (companies.length === 0)
    return [
      newFinding.doubtful(
        'the store holds no farm yet',
        'Tell your assistant about your farm, or run "acequia init" or "acequia import farm.json".',
      ),
    ];

  const named = companies.slice(0, MAX_NAMED).map(({ name }) => quote(name));
  const more = companies.length > MAX_NAMED ? ', …' : '';
  const text = `the store holds ${companies.length} companies: ${named.join(', ')}${more}`;
  return [
    apiKey === null
      ? newFinding.doubtful(
          `${text}; without a key every tool refuses, because it cannot know which is meant`,
          'For each assistant make a key with "acequia keys create --preset assistant --company NAME" and put it into ACEQUIA_API_KEY, or keep one company per store. "acequia serve" always works with keys.',
        )
      : newFinding.good(`${text}; the key says which`),
  ];
}

/** Members of whom an address does not say who they are. */
export async function checkMembers(view: StoreView | null): Promise<DoctorFinding[]> {
  if (!view) return [];

  const newFinding = findingsAbout('members');
  const members = (await view.read(membersOfAllCompanies)).filter(
    (member) => !isFormerMember(member),
  );
  const unclear = members.flatMap(({ id, email, company }) => {
    const fault = addressFault(email);
    return fault === null
      ? []
      : [`#${id} of ${quote(company)}: ${quote(email)} ${programText(fault)}`];
  });
  const byAddress = groupBy(members, ({ companyId, email }) => `${companyId} ${addressKey(email)}`);
  const shared = [...byAddress.values()]
    .filter((group) => group.length > 1)
    .map((group) => {
      const { company, email } = firstOf(group);
      const ids = group.map(({ id }) => `#${id}`).join(' and ');
      return `${ids} of ${quote(company)} have the same address, ${quote(email)}`;
    });

  return [
    ...unclear
      .slice(0, MAX_NAMED)
      .map((text) =>
        newFinding.doubtful(
          `the address of a member is not accepted any more: ${text}`,
          'Mail may not arrive. Name this member by the id in commands; a farm file with the right address adds the person as another member.',
        ),
      ),
    ...shared
      .slice(0, MAX_NAMED)
      .map((text) =>
        newFinding.doubtful(
          `the members ${text}`,
          'Keys, links and access tokens by this address are refused. Name the member by the id in commands.',
        ),
      ),
  ];
}

/** Returns no finding if no erasure of a person was interrupted. */
export async function checkErasures(view: StoreView | null): Promise<DoctorFinding[]> {
  const erasures = view === null ? [] : await view.read(allErasures);
  return erasures
    .filter(({ clearedAt }) => clearedAt === null)
    .map(({ userId, companyId }) =>
      findingsAbout('erasures').doubtful(
        `the erasure of the member #${userId} of the company #${companyId} was interrupted, so deleted rows may still be in the file`,
        `Run "acequia users erase ${userId}": it goes on where it was interrupted.`,
      ),
    );
}

/** Assigned devices that send nothing any more. Returns no finding if none is assigned. */
export async function checkSilence(view: StoreView | null, now: number): Promise<DoctorFinding[]> {
  if (!view) return [];

  const devices = await view.read(assignedDevicesOfAll);
  if (devices.length === 0) return [];
  const newFinding = findingsAbout('silence');
  const silent = devices.filter(({ lastSeenAt }) => !isFreshAt(lastSeenAt, now));
  const figures = {
    assigned: devices.length,
    silent: silent.length,
    silentSince: toIsoOrNull(silent[0]?.lastSeenAt ?? null),
  };
  const assigned = formatTerminalCount(devices.length, 'assigned device');
  if (silent.length === 0)
    return [newFinding.good(`${assigned}, each heard in the last ${FRESH_FOR}`, figures)];

  const named = silent
    .slice(0, MAX_NAMED)
    .map(
      ({ name, lastSeenAt }) =>
        `${visibleText(name)} (${formatRoughDuration(now - lastSeenAt)} ago)`,
    );
  const more = silent.length > MAX_NAMED ? ', …' : '';
  return [
    newFinding.doubtful(
      `${silent.length.toLocaleString('en-US')} of ${assigned} not heard in the last ${FRESH_FOR}: ${named.join(', ')}${more}`,
      'Check battery and reception of the device, and its gateway; "acequia ingest devices" lists all with what they sent last.',
      figures,
    ),
  ];
}

const FRESH_FOR = formatRoughDuration(MAX_FRESH_AGE_MS);

/** Returns no finding if every device is assigned. */
export async function checkDevices(view: StoreView | null): Promise<DoctorFinding[]> {
  if (!view) return [];

  const newFinding = findingsAbout('devices');
  const devices = await view.read((all) => unassignedDevices(all, MAX_NAMED + 1));
  const findings = devices.slice(0, MAX_NAMED).map(({ name, newest }) => {
    const device = visibleText(name);
    const description =
      newest.length === 0 ? device : `${device}, ${describeNewestReadings(newest)}`;
    return newFinding.doubtful(
      `a device that is not assigned sends: ${description}`,
      newest.some(({ type }) => isFieldType(type))
        ? 'Say what its fields measure: "acequia ingest devices" lists them, with the command.'
        : `Assign it with "acequia ingest assign ${shellWord(device)} MODULE${needsDepths(newest) ? ' DEPTH' : ''}"; what it has sent is kept until then.`,
    );
  });

  return devices.length > MAX_NAMED
    ? [
        ...findings,
        newFinding.doubtful(
          'others are not assigned either',
          '"acequia ingest devices" lists all.',
        ),
      ]
    : findings;
}

/** The newest message of each sender whose messages give nothing. */
export async function checkUnreadMessages(
  view: StoreView | null,
  now: number,
): Promise<DoctorFinding[]> {
  if (!view) return [];

  const newFinding = findingsAbout('devices');
  const reasons = new Map<string, UnreadReason>();
  const messages = await view.read((all) => unreadMessagesOfAll(all, now));
  for (const { sender, reason } of messages) if (!reasons.has(sender)) reasons.set(sender, reason);

  return [...reasons]
    .slice(0, MAX_NAMED)
    .map(([sender, reason]) =>
      newFinding.doubtful(
        `a message of ${visibleText(quote(sender))} ${outcomeOfMessage(isReadInPart(reason))}: ${visibleText(reason.text)}`,
        'Correct it at the sender; "acequia ingest devices" shows the message and lists all.',
      ),
    );
}

/** Temperatures that no soil has. */
export async function checkTemperatures(
  view: StoreView | null,
  now: number,
): Promise<DoctorFinding[]> {
  if (!view) return [];

  const newFinding = findingsAbout('readings');
  const doubtful = await view.read((all) => doubtfulTemperaturesOfAll(all, now));
  return doubtful.slice(0, MAX_NAMED).map(({ module, depth, celsius }) => {
    const probe = quotedName(moduleDisplayName(module, 'en') ?? module.uid);
    const reading = { depth, celsius: roundTo(celsius, 1) };
    return newFinding.doubtful(
      `doubtful temperature: ${inTerminal(describeTemperature(probe, reading))}`,
      'No soil is as warm: check whether the sensor or its decoder sends °F, or is broken.',
    );
  });
}

/** For a text without times. */
const inTerminal = (text: Text): string => terminalText(renderForAll(text).summary);

export const describeNewestReadings = (
  newest: readonly {
    readonly type: string;
    readonly depth: number | null;
    readonly value: number;
  }[],
): string =>
  withAirHumidity(newest)
    .slice(0, MAX_READINGS_PER_DEVICE)
    .map(({ type, depth, value }) => {
      const reading = inTerminal(describeDeviceReading(type, roundTo(value, VALUE_DECIMALS)));
      return depth === null ? reading : `${reading} at ${depth} cm`;
    })
    .join(', ');

import { isLoopback } from '../../domain/loopback.ts';
import { exact } from '../../domain/text/figures.ts';
import {
  action,
  commaSeparated,
  counted,
  name,
  say,
  sentences,
  verbatim,
} from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { timeOf, zone } from '../../domain/text/times.ts';
import {
  type Category,
  type CompanyBody,
  DEFAULT_TIME_ZONE,
  type EnumsBody,
  type ModuleBody,
  type SignInLinkBody,
  type UserBody,
} from '../../schema/company/company.ts';
import { englishEnumLabels } from '../en/labels.ts';
import type { CompanyContext, SummaryContext } from '../summary-context.ts';
import { parcelText } from '../text/names-of-farm.ts';

type Rows = readonly { readonly name: string | null }[];

export const NO_NAME = say`no name`;

const namesOf = (rows: Rows): Text =>
  commaSeparated(rows.map((row) => (row.name === null ? NO_NAME : name(row.name))));

export const summarizeModules = ({ data }: { data: Rows }): Text =>
  data.length === 0 ? say`No module matches.` : say`Modules: ${namesOf(data)}.`;

export const summarizeParcels = ({ data }: { data: Rows }): Text =>
  data.length === 0 ? say`There are no parcels.` : say`Parcels: ${namesOf(data)}.`;

const MODULE_KINDS: Readonly<Record<Category, Text>> = {
  SOIL_PROBE: say`soil probe`,
  TENSIOMETER: say`tensiometer`,
  WEATHER_STATION: say`weather station`,
};

export async function summarizeModule(
  module: ModuleBody,
  { directory }: SummaryContext,
): Promise<Text> {
  const { id, category, parcelId, sensors, location } = module;
  const called = module.name === null ? say`Module ${id}` : name(module.name);
  const kind = category === null ? say`module` : MODULE_KINDS[category];
  const where =
    parcelId === null ? say`not in a parcel` : say`in ${await parcelText(directory, parcelId)}`;
  const depths = [...new Set(sensors.flatMap(({ depth }) => depth ?? []))];
  const measuring =
    depths.length === 0
      ? counted(sensors.length, 'sensor')
      : say`sensors at ${exact(depths, 'cm')}`;

  return sentences([
    say`${called} is a ${kind} ${where}, ${measuring}.`,
    location?.stale ? say`Its position must be reconfirmed.` : null,
  ]);
}

export function summarizeCompany(
  { name: called, city, timezone }: CompanyBody,
  { isZoneDeclared }: Pick<CompanyContext, 'isZoneDeclared'>,
): Text {
  const place = city === null ? null : say`, ${name(city)}`;
  if (timezone !== null) return say`${name(called)}${place}; the time zone is ${name(timezone)}.`;

  // Just after the zone was removed, times of the answer are in that zone still.
  const shownZone = isZoneDeclared ? name(DEFAULT_TIME_ZONE) : zone;
  return say`${name(called)}${place}; the time zone is ${shownZone} (none is set).`;
}

export const summarizeUsers = ({ data }: { data: readonly UserBody[] }): Text =>
  data.length === 0 ? say`The company has no members.` : describeMembers(data);

export function describeMembers(people: readonly Pick<UserBody, 'name' | 'role'>[]): Text {
  const members = people.map(
    (person) =>
      say`${name(person.name)} (${name(englishEnumLabels.company_roles[person.role].toLowerCase())})`,
  );
  return say`Members: ${commaSeparated(members)}.`;
}

export const summarizeSignInLink = ({ url, email, expiresAt }: SignInLinkBody): Text =>
  sentences([
    say`This link signs ${name(email)} in to the live page, once, until ${timeOf(expiresAt)}. Whoever opens it first signs in as this person.`,
    isLoopback(new URL(url).hostname) ? OPENS_HERE_ONLY : null,
    say`${verbatim(url)}`,
  ]);

const OPENS_HERE_ONLY = say`It opens only on the computer on which the service runs. A phone needs a public address of the service.${action('set ACEQUIA_PUBLIC_URL to the https address of the service')}`;

export const summarizeEnums = (lists: EnumsBody): Text =>
  say`${Object.keys(lists).length} lists of codes with their labels, ${Object.values(lists).flat().length} codes in all.`;

import { z } from 'zod/v3';
import { OVERVIEW_GROUPS } from '../../domain/advice/farm/overview-groups.ts';
import { CHECK_REASONS } from '../../domain/advice/reason-kinds.ts';
import { WITNESSES } from '../../domain/advice/witness/witness.ts';
import { AGRONOMIC_STATES } from '../../domain/moisture/agronomic-state.ts';
import { withExample } from '../field.ts';
import { namedSchema } from '../named-schema.ts';
import {
  cursorField,
  instantOutput,
  restDetailField,
  unlistedLimitField,
} from '../shared-fields.ts';

export const overviewQuery = {
  limit: unlistedLimitField().default(50),
  cursor: cursorField().optional(),
  detail: restDetailField(),
};

export const overviewRow = z.strictObject({
  moduleId: withExample(z.number().int(), 1),
  name: withExample(z.string().nullable(), 'North 1'),
  parcelId: withExample(z.number().int().nullable(), 1),
  parcel: withExample(z.string().nullable(), 'North block'),
  crop: withExample(z.string().nullable().describe('Use of the parcel, as declared.'), 'peach'),
  value_vwc: withExample(z.number().nullable().describe('Moisture in % by volume.'), 24.7),
  value_tensio: z.number().nullable().describe('kPa; higher is drier.'),
  state: z.enum(AGRONOMIC_STATES).nullable().describe('Null while in doubt.'),
  daysToStress: withExample(z.number().nullable(), 2.6),
  needsWater: z.boolean().describe('Today, beyond what is planned.'),
  check: z.enum(CHECK_REASONS).nullable().describe('What to check before it is watered.'),
  time: withExample(
    instantOutput().nullable().describe('Time of the newest reading.'),
    '2026-11-22T21:45:00.000Z',
  ),
  ageMin: withExample(z.number().int().nullable().describe('Age of the newest reading.'), 5),
  lastWateredAt: withExample(
    instantOutput().nullable().describe('With detail concise, the local date.'),
    '2026-11-22T05:00:00.000Z',
  ),
  wateredBy: z
    .enum(WITNESSES)
    .nullish()
    .describe('Who saw that, as in the list of waterings; null where nothing is known of it.'),
  alert: z.enum(['quiet', 'firing', 'stale']).nullable().describe('Null without an active alert.'),
});
export type OverviewRow = z.output<typeof overviewRow>;

const groupMember = overviewRow.pick({
  moduleId: true,
  name: true,
  value_vwc: true,
  value_tensio: true,
  state: true,
  daysToStress: true,
  check: true,
  time: true,
});
export type OverviewProbe = z.output<typeof groupMember>;

const group = z.strictObject({
  group: z.enum(OVERVIEW_GROUPS),
  count: withExample(z.number().int(), 2),
  first: z.array(groupMember).describe('The first of them, by need.'),
});
export type OverviewGroup = z.output<typeof group>;

export const overview = namedSchema(
  'FarmOverview',
  z.strictObject({
    time: withExample(instantOutput(), '2026-11-22T21:50:01.068Z'),
    probes: withExample(z.number().int(), 2),
    stations: withExample(z.number().int(), 0),
    groups: z.array(group).describe('Groups that have probes.'),
    data: z.array(overviewRow).describe('Probes, most urgent first.'),
    leftOut: withExample(z.number().int().describe('Number of rows after these.'), 0),
    next_cursor: z.string().nullable(),
  }),
);
export type OverviewBody = z.output<typeof overview>;

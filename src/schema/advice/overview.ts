import { z } from 'zod/v3';
import { OVERVIEW_GROUPS } from '../../domain/advice/farm/overview-groups.ts';
import { CHECK_REASONS } from '../../domain/advice/probe-advice.ts';
import { AGRONOMIC_STATES } from '../../domain/moisture/agronomic-state.ts';
import { namedSchema } from '../named-schema.ts';
import { cursorField, instantOutput, limitField, restDetailField } from '../shared-fields.ts';

export const overviewQuery = {
  limit: limitField().default(50),
  cursor: cursorField().optional(),
  detail: restDetailField(),
};

export const overviewRow = z.strictObject({
  moduleId: z.number().int(),
  name: z.string().nullable(),
  parcelId: z.number().int().nullable(),
  parcel: z.string().nullable(),
  crop: z.string().nullable().describe('Use of the parcel, as declared.'),
  value_vwc: z.number().nullable().describe('Moisture in % by volume.'),
  value_tensio: z.number().nullable().describe('kPa; higher is drier.'),
  state: z.enum(AGRONOMIC_STATES).nullable(),
  daysToStress: z.number().nullable(),
  needsWater: z.boolean().describe('Today, beyond what is planned.'),
  check: z.enum(CHECK_REASONS).nullable().describe('What to check before it is watered.'),
  time: instantOutput().nullable().describe('Time of the newest reading.'),
  ageMin: z.number().int().nullable().describe('Age of the newest reading.'),
  lastWateredAt: instantOutput().nullable().describe('With detail concise, the local date.'),
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
  count: z.number().int(),
  first: z.array(groupMember).describe('The first of them, by need.'),
});
export type OverviewGroup = z.output<typeof group>;

export const overview = namedSchema(
  'FarmOverview',
  z.strictObject({
    time: instantOutput(),
    probes: z.number().int(),
    stations: z.number().int(),
    groups: z.array(group).describe('Groups that have probes.'),
    data: z.array(overviewRow).describe('Probes, most urgent first.'),
    leftOut: z.number().int().describe('Number of rows after these.'),
    next_cursor: z.string().nullable(),
  }),
);
export type OverviewBody = z.output<typeof overview>;

import type { BriefBody } from '../../../../src/schema/advice/brief.ts';
import { contextOf, MODULE } from '../../context.ts';

export const context = contextOf({ modules: [MODULE], parcels: [{ id: 1, name: 'North block' }] });

const NONE_LEFT_OUT = {
  needsWater: 0,
  checkFirst: 0,
  alerts: 0,
  silentGateways: 0,
  silentModules: 0,
  toConfirm: 0,
  missingDoses: 0,
  unjudged: 0,
  restUnknown: 0,
  schedule: 0,
  assumed: 0,
  ifItRuns: 0,
};

/** The brief of three probes on a quiet morning. */
const QUIET = {
  modules: 3,
  needsWater: [],
  checkFirst: [],
  alerts: [],
  silent: { gateways: [], modules: [] },
  toConfirm: [],
  missingDoses: [],
  unjudged: [],
  schedule: [],
  estimatedCapacities: 0,
  leftOutMin: 0,
  leftOut: NONE_LEFT_OUT,
} as Partial<BriefBody> as BriefBody;

/** Rows have the fields that their sentence needs. */
export type BriefChanges = { readonly [Key in Exclude<keyof BriefBody, 'leftOut'>]?: unknown } & {
  readonly leftOut?: Partial<BriefBody['leftOut']>;
};

export const briefOf = ({ leftOut, ...changes }: BriefChanges): BriefBody => ({
  ...QUIET,
  ...(changes as Partial<BriefBody>),
  leftOut: { ...NONE_LEFT_OUT, ...leftOut },
});

export const NORTH = { moduleId: 1, name: 'North 1', parcelId: 1, value_vwc: 14.23 };

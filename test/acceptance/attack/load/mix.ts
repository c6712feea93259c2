/** The reads that a viewer repeats, in this order. */
export const VIEWER_READS = [
  'overview',
  'brief',
  'page',
  'modules',
  'waterings',
  'alerts',
  'changes',
  'review',
  'year of a probe',
] as const;
export type ViewerRead = (typeof VIEWER_READS)[number];

/** Who attacks, how many of each, and with what. All of them belong to one company. */
export interface AttackMix {
  readonly viewers: {
    readonly keys: number;
    readonly connectionsPerKey: number;
    readonly reads: readonly ViewerRead[];
  };
  /** Keys of assistants, each of which makes one call at a time. */
  readonly assistants: number;
  readonly pageStreams: number;
  readonly listenStreams: number;
  /** The form of the batch that a key for ingest repeats. */
  readonly uploads: readonly UploadForm[];
  /** Whether a schedule of all probes is created and undone, once. */
  readonly hasSchedule: boolean;
}

export type UploadForm = 'json' | 'csv';

export const UPLOAD_BYTES = 10_000_000;

/** 324,000 planned waterings: of 300 probes, in the 90 days that are planned ahead. */
export const START_TIMES = Array.from({ length: 12 }, (_, index) => {
  const hour = String(2 * index).padStart(2, '0');
  return `${hour}:00`;
});

const NOBODY: AttackMix = {
  viewers: { keys: 0, connectionsPerKey: 4, reads: VIEWER_READS },
  assistants: 0,
  pageStreams: 0,
  listenStreams: 0,
  uploads: [],
  hasSchedule: false,
};

/** Everything that a company can do at the same time, with so many keys of viewers. */
export const everythingAtOnce = (viewerKeys: number): AttackMix => ({
  viewers: { ...NOBODY.viewers, keys: viewerKeys },
  assistants: 4,
  pageStreams: 300,
  listenStreams: 200,
  uploads: ['json', 'csv'],
  hasSchedule: true,
});

export const overviewsOnly = (viewerKeys: number): AttackMix => ({
  ...NOBODY,
  viewers: { ...NOBODY.viewers, keys: viewerKeys, reads: ['overview'] },
});

export const STREAMS_PER_MEMBER = 16;
export const STREAMS_PER_KEY = 16;

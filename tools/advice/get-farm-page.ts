import { z } from 'zod/v3';
import { summarizeOverview } from '../../src/language/advice/overview-summary.ts';
import { farmPage, farmPageQuery } from '../../src/schema/advice/farm-page.ts';
import { addPageUser, getFarmPage } from '../../src/service/advice/farm/farm-page.ts';
import { factOperation } from '../../src/service/advice/source/fact-operation.ts';
import {
  confirmedWaterings,
  ofCompany,
} from '../../src/service/irrigation/planning/pending-waterings.ts';
import { pendingChangeParts } from '../../src/service/pending-parts.ts';
import createAlert from '../alerts/create-alert.ts';
import createAnnotation from '../alerts/create-annotation.ts';
import updateAlert from '../alerts/update-alert.ts';
import updateAnnotation from '../alerts/update-annotation.ts';
import correctWatering from '../irrigation/correct-watering.ts';
import logWatering from '../irrigation/log-watering.ts';

const WRITES_OF_PAGE = [
  logWatering,
  correctWatering,
  createAlert,
  updateAlert,
  createAnnotation,
  updateAnnotation,
];

export default factOperation({
  name: 'get_farm_page',
  title: 'First view of the page',
  description:
    'All that the live page needs to open: the user and what they may do, the company, every probe with its week, and the waterings that await confirmation.',
  toolset: 'advice',
  endpoint: { method: 'GET', path: '/page', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  page: {
    audience: 'app-only',
    withFilter: (body, isOffered) => ({
      ...body,
      withheld: [
        ...new Set(WRITES_OF_PAGE.filter((write) => !isOffered(write)).map(({ scope }) => scope)),
      ],
    }),
  },
  load: {
    isLong: () => true,
    isShared: true,
    forCaller: addPageUser,
  },
  input: z.strictObject(farmPageQuery),
  output: farmPage,
  pendingWork: () => [...confirmedWaterings(ofCompany), pendingChangeParts],
  facts: {
    reads: [
      'modules',
      'probes',
      'rain',
      'weather',
      'waterings',
      'wateringBodies',
      'schedules',
      'alerts',
      'newestWaterings',
      'sparklines',
      'waitingCounts',
      'notices',
      'farm',
    ],
    answer: (call, query, facts) => getFarmPage(call, facts, query),
  },
  summary: (body) => summarizeOverview({ ...body, leftOut: 0 }),
});

import { type ComponentChild, h } from 'preact';
import { PageContext, type PageContextValue } from '../../../../src/page/page-context.ts';
import { pageTexts } from '../../../../src/page/page-texts.ts';
import { toRequest } from '../../../../src/page/service/rest-service.ts';
import { ProbeCard } from '../../../../src/page/views/probe-card.tsx';
import { ProbeDetails } from '../../../../src/page/views/probe-details.tsx';
import { ReviewView } from '../../../../src/page/views/review-view.tsx';
import type { FarmPageBody } from '../../../../src/schema/advice/farm-page.ts';
import { operations } from '../../../../tools/index.ts';
import { renderText } from '../../../page/rendered-text.ts';
import { CLOCK, waitUntil } from '../../program.ts';
import type { RestService } from '../../rest-service.ts';

/** The texts of the page about a probe. */
export interface ProbeTexts {
  /** Its text in the list of all probes. */
  readonly card: string;
  /** The last and the next watering. */
  readonly newest: string;
  readonly review: string;
}

const ENDPOINTS = Object.fromEntries(
  operations.map(({ name, endpoint }) => [name, `${endpoint.method} ${endpoint.path}`]),
);

/** The texts by the name of the probe, rendered without a browser from answers of the service. */
export async function pageTextsOf(
  service: RestService,
  key: string,
): Promise<ReadonlyMap<string, ProbeTexts>> {
  const call = async (operation: string, fields: object) => {
    const { method, path } = toRequest(operation, fields, ENDPOINTS);
    const { status, body } = await service.request(method, path, { key });
    if (status !== 200) throw new Error(`${operation}: ${JSON.stringify(body)}`);
    return { body };
  };
  const farm: FarmPageBody = (await call('get_farm_page', {})).body;
  const page = {
    service: { call },
    lang: 'en',
    units: 'metric',
    texts: pageTexts('en'),
    zone: farm.company.timezone,
    farm,
    now: () => Date.parse(CLOCK),
    timeOf: (time: string) => time,
    versionOf: () => 0,
  } as unknown as PageContextValue;

  const shown = async (component: ComponentChild): Promise<string> => {
    const text = renderText(h(PageContext.Provider, { value: page }, component));
    await waitUntil(() => text() !== '' && !text().includes(page.texts.loading));
    return text();
  };

  const texts = new Map<string, ProbeTexts>();
  for (const probe of farm.data)
    texts.set(probe.name ?? '', {
      card: await shown(h(ProbeCard, { probe })),
      newest: await shown(h(ProbeDetails, { probe })),
      review: await shown(h(ReviewView, { moduleId: probe.moduleId })),
    });
  return texts;
}

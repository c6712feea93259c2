import type { ItemList } from '../../../schema/ingest/ingest-items.ts';
import { gatewayItems } from './gateway-items.ts';
import { rainItems } from './rain-items.ts';
import { readingItems } from './reading-items.ts';
import { weatherItems } from './weather-items.ts';

/**
 * The kinds of items that a batch stores, by the name of its list. Batches over HTTP, messages of
 * webhooks and of MQTT, and answers of providers all become items of these lists.
 */
export const ITEM_TABLE = {
  readings: readingItems,
  rain: rainItems,
  weather: weatherItems,
  gateways: gatewayItems,
} satisfies Record<ItemList, unknown>;

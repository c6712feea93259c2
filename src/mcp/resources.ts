import type { Catalog } from './catalog.ts';

const JSON_TYPE = 'application/json';

/** What a client can be told of when it changes. */
export const FIRING_ALERTS = 'acequia://alerts/firing';

/** What can be read by URI: each is the answer of a read operation. */
export const resources: Catalog['resources'] = [
  {
    uri: 'acequia://company',
    name: 'company',
    title: 'The company',
    description: 'Name, place and time zone of the company. As get_company.',
    mimeType: JSON_TYPE,
    operation: 'get_company',
  },
  {
    uri: 'acequia://catalog/enums',
    name: 'enums',
    title: 'Codes and labels',
    description: 'Every code with its label; ?lang=fr for French. As get_enums.',
    mimeType: JSON_TYPE,
    operation: 'get_enums',
  },
  {
    uri: 'acequia://schedules',
    name: 'schedules',
    title: 'Schedules',
    description: 'The schedules of the company. As list_schedules.',
    mimeType: JSON_TYPE,
    operation: 'list_schedules',
    arguments: { limit: 200 },
  },
  {
    uri: FIRING_ALERTS,
    name: 'firing-alerts',
    title: 'Alerts that are firing',
    description: 'The alerts whose probe is too dry now, each with its value and since when. As list_alerts.',
    mimeType: JSON_TYPE,
    operation: 'list_alerts',
    arguments: { isActive: true, limit: 200 },
    onlyFlagged: ['state', 'firing'],
  },
  {
    uri: 'acequia://catalog/soil-horizons',
    name: 'soil-horizons',
    title: 'Soil textures',
    description: 'Texture classes with their codes and what they hold; ?lang=fr for French. As list_soil_horizons.',
    mimeType: JSON_TYPE,
    operation: 'list_soil_horizons',
  },
];

/** The same with a variable: `module` and `parcel` take a name or an id. */
export const resourceTemplates: Catalog['resourceTemplates'] = [
  {
    uriTemplate: 'acequia://modules/{module}',
    name: 'module',
    title: 'A probe or station',
    description: 'One module with its sensors, position and gateway. As get_module.',
    mimeType: JSON_TYPE,
    operation: 'get_module',
  },
  {
    uriTemplate: 'acequia://modules/{module}/irrigation',
    name: 'module-irrigation',
    title: 'A probe’s equipment',
    description: 'The irrigation equipment of a probe and its history. As get_irrigation_setup.',
    mimeType: JSON_TYPE,
    operation: 'get_irrigation_setup',
  },
  {
    uriTemplate: 'acequia://modules/{module}/moisture',
    name: 'module-moisture',
    title: 'The moisture of a probe',
    description: 'Soil moisture of the last 7 days in at most 48 points. As get_moisture_series.',
    mimeType: JSON_TYPE,
    operation: 'get_moisture_series',
  },
  {
    uriTemplate: 'acequia://parcels/{parcel}/soil-profile',
    name: 'parcel-soil-profile',
    title: 'The soil of a parcel',
    description: 'The horizons in force, top down. As get_soil_profile.',
    mimeType: JSON_TYPE,
    operation: 'get_soil_profile',
  },
];

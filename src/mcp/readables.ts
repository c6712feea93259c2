import type { Catalog } from './catalog.ts';

const json = 'application/json';

/** What can be read by URI: each is the answer of a read operation. */
export const resources: Catalog['resources'] = [
  {
    uri: 'acequia://company',
    name: 'company',
    title: 'The company',
    description: 'Name, place and time zone of the company. As get_company.',
    mimeType: json,
    operation: 'get_company',
  },
  {
    uri: 'acequia://catalog/enums',
    name: 'enums',
    title: 'Codes and labels',
    description: 'Every code with its label; ?lang=fr for French. As get_enums.',
    mimeType: json,
    operation: 'get_enums',
  },
  {
    uri: 'acequia://schedules',
    name: 'schedules',
    title: 'Schedules',
    description: 'The schedules of the company. As list_schedules.',
    mimeType: json,
    operation: 'list_schedules',
  },
];

/** The same with a variable: `module` takes a name or an id. */
export const resourceTemplates: Catalog['resourceTemplates'] = [
  {
    uriTemplate: 'acequia://modules/{module}',
    name: 'module',
    title: 'A probe or station',
    description: 'One module with its sensors, position and gateway. As get_module.',
    mimeType: json,
    operation: 'get_module',
  },
  {
    uriTemplate: 'acequia://modules/{module}/irrigation',
    name: 'module-irrigation',
    title: 'A probe’s equipment',
    description: 'The irrigation equipment of a probe and its history. As get_irrigation_setup.',
    mimeType: json,
    operation: 'get_irrigation_setup',
  },
];

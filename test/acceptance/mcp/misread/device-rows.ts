import type { Row } from './row.ts';

const AT = '2026-06-19T08:00:00Z';
const reading = (item: object) => ({ type: 'humidity', depth: 20, time: AT, value: 20, ...item });
const field = (name: string, value: number) => ({
  device: 'LSE01-7',
  type: `field:${name}`,
  time: AT,
  value,
});
const total = (hour: number, mm: number) => ({
  device: 'gauge-1',
  isRunningTotal: true,
  mm,
  time: new Date(Date.UTC(2026, 5, 18, 0, hour * 60)).toISOString(),
});

export const DEVICE_ROWS: readonly Row[] = [
  {
    what: 'fields of an unknown device',
    ingest: {
      readings: [
        field('Soil_Hum', 31.2),
        field('Soil_T', 18.4),
        field('wm1_cb', 45),
        field('EC', 121),
      ],
    },
    says: /"storedUnassigned":4/,
  },
  {
    what: 'what its fields measure',
    tool: 'list_devices',
    args: {},
    says: /Soil_Hum = moisture DEPTH cm %; Soil_T = temperature DEPTH cm; wm1_cb = tension DEPTH cm/,
  },
  {
    what: 'a device that is spelled in small letters',
    tool: 'assign_device',
    args: { device: 'lse01-7', module: 'Oak 2', depths: [20] },
    says: /Nothing has come from "lse01-7" so far, only from "LSE01-7"[.] .*Ask which is meant/,
  },
  {
    what: 'two fields for one sensor',
    tool: 'assign_device',
    args: {
      device: 'LSE01-7',
      module: 'Oak 2',
      fields: 'Soil_Hum = moisture 20 cm %; Soil_T = moisture 20 cm %',
    },
    says: /would be one sensor: moisture at 20 cm/,
  },
  {
    what: 'a device with fields that are left over',
    tool: 'assign_device',
    args: { device: 'LSE01-7', module: 'Oak 2', fields: 'Soil_Hum = moisture 20 cm %' },
    says: /1 reading that it had already sent was stored[.] Its fields: .{0,2}Soil_Hum = moisture 20 cm %/,
  },
  {
    what: 'the same device again',
    tool: 'assign_device',
    args: { device: 'LSE01-7', module: 'Oak 2', fields: 'Soil_Hum = moisture 20 cm %' },
    says: /readings of "Oak 2" come from "LSE01-7" now, at 20 cm[.] Nothing that it sent was waiting/,
  },
  {
    what: 'the device on another probe',
    tool: 'assign_device',
    args: { device: 'LSE01-7', module: 'Oak 1', fields: 'Soil_Hum = moisture 20 cm %' },
    says: /Nothing that it sent was waiting[.].* earlier readings do not count here/,
  },
  {
    what: 'a running total that is misread and comes back',
    ingest: {
      rain: [total(0, 100), total(1, 115), total(2, 49), total(3, 115), total(4, 116)],
    },
    says: /"storedUnassigned":5/,
  },
  {
    what: 'its rain gauge',
    tool: 'assign_device',
    args: { device: 'gauge-1', module: 'Yard' },
    says: /come from "gauge-1" now/,
  },
  {
    what: 'the rain that it measured',
    tool: 'list_rain',
    args: { from: '2026-06-18', to: '2026-06-18' },
    says: /16 mm on Block B/,
  },
  {
    what: 'a running total that comes late',
    ingest: { rain: [total(2.5, 115)] },
    says: /"staleTotals":1,/,
  },
  {
    what: 'an id that is also a name',
    ingest: { readings: [reading({ module: 9 })] },
    says: /several modules have this name/,
  },
  {
    what: 'local times of a clock that stays the same all year',
    ingest: {
      readings: ['01:30', '02:30', '03:30'].map((time) =>
        reading({ module: 'Oak 1', time: `2026-03-29T${time}` }),
      ),
    },
    says: /"written":1,.*"refused":2,.*its clock may not follow Europe\/Paris.*[+]01:00 if it shows/,
  },
];

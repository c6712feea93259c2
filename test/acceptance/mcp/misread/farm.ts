const humidity = (depths: readonly number[]) =>
  depths.map((depth) => ({ type: 'humidity', depth }));
const probe = (uid: string, name: string, depths: readonly number[], more: object = {}) => ({
  uid,
  name,
  category: 'SOIL_PROBE',
  parcel: 'Block A',
  sensors: humidity(depths),
  ...more,
});

/** Peach on loam with drip of 1.6 L/h every 0.5 x 1 m, probes, a tensiometer and a rain gauge. */
export const FARM = {
  company: { name: 'Mas Clair', countryCode: 'FR', timezone: 'Europe/Paris' },
  users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
  parcels: [
    {
      name: 'Block A',
      type: 'peach',
      installation: { system: 'drip', emitterFlowLph: 1.6, emittersPerM2: 2 },
      soilProfile: [{ usdaClass: 'Loam', depthTopCm: 0, depthBottomCm: 60 }],
    },
    { name: 'Block B', type: 'vineyard' },
    { name: 'Block C', type: 'almond' },
  ],
  modules: [
    probe('O1', 'Oak 1', [10, 20, 30], { location: { lat: 43.6, lon: 3.9 } }),
    probe('O2', 'Oak 2', [20], { location: { lat: 43.6, lon: 3.9 } }),
    probe('PA', 'A+', [20]),
    probe('P9', '9', [20]),
    probe('E3', 'Elm 3', [20]),
    {
      uid: 'VT',
      name: 'Vine T',
      category: 'TENSIOMETER',
      parcel: 'Block B',
      sensors: [20, 40].map((depth) => ({ type: 'tensio', depth })),
    },
    { uid: 'Y', name: 'Yard', category: 'WEATHER_STATION', parcel: 'Block B', sensors: [] },
  ],
};

/** Units of the United States for water and depths, which the page has too. */
export const englishUsUnits = {
  inches: 'in',
  gallons: 'gal',
  acreInches: 'acre-inches',
  /** Of figures that stand without their unit, in its label. */
  waterUnit: 'inches',
  thousands: ',',
};

/** The other units. */
export const englishQuantities = {
  feet: 'ft',
  acre: 'acre',
  acres: 'acres',
  squareFeet: 'sq ft',
  gallonsPerHour: 'gph',
};

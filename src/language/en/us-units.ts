/** Units of the United States for water and depths, which the page has too. */
export const englishUsUnits = {
  inches: 'in',
  gallons: 'gal',
  acreInches: 'acre-inches',
  /** The unit in the label of figures that stand without it. */
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

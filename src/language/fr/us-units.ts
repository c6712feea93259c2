/** Units of the United States for water and depths, which the page has too. */
export const frenchUsUnits = {
  inches: 'po',
  gallons: 'gal',
  acreInches: 'acres-pouces',
  /** The unit in the label of figures that stand without it. */
  waterUnit: 'po',
  thousands: '\u202f',
};

/** The other units. */
export const frenchQuantities = {
  feet: 'pi',
  acre: 'acre',
  acres: 'acres',
  squareFeet: 'pi²',
  gallonsPerHour: 'gal/h',
};

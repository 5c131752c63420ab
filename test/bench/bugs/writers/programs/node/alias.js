const DEFAULTS = { tax: 19, rounding: 2 };

function settingsOf(country) {
  const settings = DEFAULTS;
  if (country === 'CH') {
    settings.tax = 8; // marker: writes
  }
  return settings;
}

const swiss = settingsOf('CH').tax;
const german = settingsOf('DE');
console.log(swiss, german.tax); // marker: wrong

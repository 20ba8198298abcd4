// The few words with which the page is made: elements, numbers as a person reads them.

export const find = (id) => document.getElementById(id);

// an element with attributes, handlers (on...) and children
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made[name] = value;
    else if (name === "value") made.value = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export function put(place, text) {
  const said = String(text);
  if (place.textContent !== said) place.textContent = said;
}

const NOISE = 1e-12;  // below it there is nothing but rounding
const DEGREES = 180 / Math.PI;
// a joint's position, speed and effort as they are shown: factor and unit
export const shown = (joint) => (joint.linear ? [1000, "mm", "N"] : [DEGREES, "°", "N m"]);

export function number(value, digits = 3) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size < NOISE) return "0";
  if (size >= 1e5 || size < 1e-3) return value.toExponential(digits - 1);
  return String(Number(value.toPrecision(Math.max(digits, Math.ceil(Math.log10(size + 1))))));
}

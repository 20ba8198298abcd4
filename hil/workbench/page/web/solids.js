// Meshes by component, fetched once each, and the few solids that belong to no component.

const fetched = new Map();

function bytes(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
}

// the bodies of a component: { corners, normals, colours, T } each, T at zero in the frame of the first
export function bodiesOf(component) {
  if (!fetched.has(component)) {
    fetched.set(component, fetch(`/mesh/${encodeURIComponent(component)}`).then(async (answer) => {
      if (!answer.ok) throw new Error(await answer.text());
      const told = await answer.json();
      return told.bodies.map((body) => ({
        corners: new Float32Array(bytes(body.corners)), normals: new Int8Array(bytes(body.normals)),
        colours: new Uint8Array(bytes(body.colours)), T: body.T,
      }));
    }));
    fetched.get(component).catch(() => fetched.delete(component));
  }
  return fetched.get(component);
}

// three arrows of a frame, red green blue along x y z
export function frame(length, radius) {
  const corners = [], normals = [], colours = [], SIDES = 12;
  const paints = [[196, 43, 43], [46, 140, 60], [40, 96, 200]];
  const place = (axis, along, a, r) => {
    const p = [0, 0, 0];
    p[axis] = along; p[(axis + 1) % 3] = r * Math.cos(a); p[(axis + 2) % 3] = r * Math.sin(a);
    return p;
  };
  for (let axis = 0; axis < 3; axis += 1) {
    const put = (p, n) => { corners.push(...p); normals.push(...n.map((x) => Math.round(127 * x))); colours.push(...paints[axis]); };
    const ring = (from, to, r0, r1) => {
      for (let k = 0; k < SIDES; k += 1) {
        const a = (2 * Math.PI * k) / SIDES, b = (2 * Math.PI * (k + 1)) / SIDES;
        const na = place(axis, 0, a, 1), nb = place(axis, 0, b, 1);
        const A = place(axis, from, a, r0), B = place(axis, from, b, r0), C = place(axis, to, a, r1), D = place(axis, to, b, r1);
        put(A, na); put(B, nb); put(D, nb); put(A, na); put(D, nb); put(C, na);
      }
    };
    ring(0, 0.75 * length, radius, radius);
    ring(0.75 * length, length, 2.6 * radius, 0);
  }
  return { corners: new Float32Array(corners), normals: new Int8Array(normals), colours: new Uint8Array(colours) };
}

// the box that holds some corners, at a pose: [least, greatest]
export function extent(bodies) {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (const { corners, T } of bodies) {
    for (let k = 0; k < corners.length; k += 3) {
      for (let i = 0; i < 3; i += 1) {
        const x = T[4 * i] * corners[k] + T[4 * i + 1] * corners[k + 1] + T[4 * i + 2] * corners[k + 2] + T[4 * i + 3];
        low[i] = Math.min(low[i], x); high[i] = Math.max(high[i], x);
      }
    }
  }
  return [low, high];
}

// Poses as arrays of 16 numbers, row by row, as the server tells them; metres and radians.

export const UNIT = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

export function product(A, B) {
  const out = new Array(16);
  for (let i = 0; i < 4; i += 1) {
    for (let j = 0; j < 4; j += 1) {
      out[4 * i + j] = A[4 * i] * B[j] + A[4 * i + 1] * B[4 + j] + A[4 * i + 2] * B[8 + j] + A[4 * i + 3] * B[12 + j];
    }
  }
  return out;
}

export function moved(T, p) {
  return [0, 4, 8].map((row) => T[row] * p[0] + T[row + 1] * p[1] + T[row + 2] * p[2] + T[row + 3]);
}

export function turnAboutZ(angle) {
  const c = Math.cos(angle), s = Math.sin(angle);
  return [c, -s, 0, 0, s, c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
}

export const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

export function unit(a) {
  const length = Math.hypot(...a) || 1;
  return a.map((x) => x / length);
}

// what turns points of the world into the picture: camera at `eye` that looks at `target`, z up
export function camera(eye, target, fieldOfView, aspect, near, far) {
  const back = unit(minus(eye, target)), right = unit(cross([0, 0, 1], back)), up = cross(back, right);
  const at = (axis) => -(axis[0] * eye[0] + axis[1] * eye[1] + axis[2] * eye[2]);
  const view = [...right, at(right), ...up, at(up), ...back, at(back), 0, 0, 0, 1];
  const f = 1 / Math.tan(fieldOfView / 2);
  const lens = [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), (2 * far * near) / (near - far), 0, 0, -1, 0];
  return { matrix: product(lens, view), right, up, back };
}

// WebGL wants columns
export function columns(T) {
  return new Float32Array([0, 1, 2, 3].flatMap((j) => [T[j], T[4 + j], T[8 + j], T[12 + j]]));
}

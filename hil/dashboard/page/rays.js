"use strict";
// Rays of the eye and the shapes that they meet. Vectors are arrays [x, y, z] in m, attitudes w x y z.
const add = (a, b, factor = 1) => a.map((x, k) => x + factor * b[k]);
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

// the vector v turned by an attitude
function turned([w, ...u], v) {
  const t = cross(u, v).map((x) => 2 * x);
  return add(add(v, t, w), cross(u, t));
}

const turnedBack = ([w, x, y, z], v) => turned([w, -x, -y, -z], v);

// how far along a ray a solid begins, in lengths of `way`; null where the ray misses it, or it lies behind
function reach(solid, from, way) {
  const scale = (v) => v.map((x, k) => x / (0.5 * solid.size[k]));  // to a solid of half size 1
  const a = scale(turnedBack(solid.quat, add(from, solid.p, -1))), d = scale(turnedBack(solid.quat, way));
  const spans = { sphere: [ball(a, d, 3)], cylinder: [ball(a, d, 2), slab(a, d, 2)] }[solid.shape]
    || [0, 1, 2].map((k) => slab(a, d, k));
  const begin = Math.max(...spans.map(([first]) => first)), end = Math.min(...spans.map(([, last]) => last));
  return begin <= end && begin > 0 ? begin : null;
}

// the span of a ray within -1 <= x_k <= 1
function slab(a, d, k) {
  if (d[k] === 0) return Math.abs(a[k]) <= 1 ? [-Infinity, Infinity] : [Infinity, -Infinity];
  const ends = [(-1 - a[k]) / d[k], (1 - a[k]) / d[k]];
  return [Math.min(...ends), Math.max(...ends)];
}

// the span of a ray within the unit ball of the first n axes
function ball(a, d, n) {
  const cut = (u, v) => u.slice(0, n).reduce((sum, x, k) => sum + x * v[k], 0);
  const dd = cut(d, d), ad = cut(a, d), rest = cut(a, a) - 1;
  if (dd === 0) return rest <= 0 ? [-Infinity, Infinity] : [Infinity, -Infinity];
  const root = ad * ad - dd * rest;
  if (root < 0) return [Infinity, -Infinity];
  return [(-ad - Math.sqrt(root)) / dd, (-ad + Math.sqrt(root)) / dd];
}

// viser's camera in the axes of the run's world; `rect` is where its picture lies in the frame, in px
function eyeOf(inner) {
  const { camera, canvas, nodePoseData } = inner.__viserMutable || {};
  if (!camera || !canvas) return null;
  const root = nodePoseData[""], m = camera.matrixWorld.elements, half = Math.tan((camera.fov * Math.PI) / 360);
  const axis = (k) => turnedBack(root.wxyz, m.slice(4 * k, 4 * k + 3));
  return {
    place: turnedBack(root.wxyz, add(m.slice(12, 15), root.position, -1)),
    right: axis(0), up: axis(1), back: axis(2), rect: canvas.getBoundingClientRect(), half, aspect: camera.aspect,
  };
}

// the way of the ray through a pixel of the frame
function wayThrough(eye, [x, y]) {
  const across = ((2 * (x - eye.rect.left)) / eye.rect.width - 1) * eye.half * eye.aspect;
  const upward = (1 - (2 * (y - eye.rect.top)) / eye.rect.height) * eye.half;
  return add(add(eye.right.map((c) => across * c), eye.up, upward), eye.back, -1);
}

// the pixel of the frame on which a point shows
function pixelOf(eye, point) {
  const v = add(point, eye.place, -1), depth = -dot(v, eye.back);
  const across = dot(v, eye.right) / (depth * eye.half * eye.aspect), upward = dot(v, eye.up) / (depth * eye.half);
  return [eye.rect.left + 0.5 * eye.rect.width * (1 + across), eye.rect.top + 0.5 * eye.rect.height * (1 - upward)];
}

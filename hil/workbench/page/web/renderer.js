// Draws meshes, a floor and frames into a canvas by WebGL 2; knows nothing of arms.
import { columns } from "/web/matrix.js";

const SOLID_VERTEX = `#version 300 es
uniform mat4 camera, place;
layout(location = 0) in vec3 corner;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 colour;
out vec3 facing, paint, world;
void main() {
  vec4 p = place * vec4(corner, 1.0);
  facing = mat3(place) * normal; paint = colour; world = p.xyz;
  gl_Position = camera * p;
}`;
const SOLID_FRAGMENT = `#version 300 es
precision highp float;
uniform vec3 eye, tint;
uniform float tinted, opacity;
in vec3 facing, paint, world;
out vec4 seen;
void main() {
  vec3 n = normalize(facing), v = normalize(eye - world), key = normalize(vec3(0.45, -0.55, 0.9));
  vec3 base = mix(paint, tint, tinted);
  float sky = 0.5 + 0.5 * n.z, sun = max(dot(n, key), 0.0), fill = max(dot(n, normalize(vec3(-0.7, 0.5, 0.2))), 0.0);
  float gloss = pow(max(dot(n, normalize(key + v)), 0.0), 42.0), rim = pow(1.0 - max(dot(n, v), 0.0), 3.0);
  vec3 light = mix(vec3(0.36, 0.38, 0.42), vec3(0.56, 0.58, 0.61), sky) + 0.5 * sun + 0.12 * fill;
  vec3 c = base * light + 0.14 * gloss + 0.10 * rim;
  seen = vec4(min(c, 1.0) * opacity, opacity);
}`;
const PICK_FRAGMENT = `#version 300 es
precision highp float;
uniform vec3 tint;
in vec3 facing, paint, world;
out vec4 seen;
void main() { seen = vec4(tint, 1.0); }`;
const FLOOR_VERTEX = `#version 300 es
uniform mat4 camera;
uniform float reach;
layout(location = 0) in vec2 corner;
out vec2 spot;
void main() { spot = corner * reach; gl_Position = camera * vec4(spot, 0.0, 1.0); }`;
const FLOOR_FRAGMENT = `#version 300 es
precision highp float;
uniform float reach;
in vec2 spot;
out vec4 seen;
float lines(vec2 p, float step) {
  vec2 q = p / step, d = abs(fract(q - 0.5) - 0.5) / fwidth(q);
  return 1.0 - min(min(d.x, d.y), 1.0);
}
void main() {
  float fade = 1.0 - smoothstep(0.25 * reach, reach, length(spot));
  float shade = 0.10 * (1.0 - smoothstep(0.0, 0.35, length(spot)));
  float a = (0.14 * lines(spot, 0.1) + 0.24 * lines(spot, 0.5)) * fade + shade;
  seen = vec4(vec3(0.22, 0.31, 0.42) * a, a);
}`;

export class Renderer {
  constructor(canvas) {
    this.canvas = canvas;
    const gl = canvas.getContext("webgl2", { alpha: true, antialias: true, premultipliedAlpha: true, preserveDrawingBuffer: true });
    if (!gl) throw new Error("this browser draws no 3D: WebGL 2 is off");
    this.gl = gl;
    this.solid = this.#program(SOLID_VERTEX, SOLID_FRAGMENT);
    this.pick = this.#program(SOLID_VERTEX, PICK_FRAGMENT);
    this.floor = this.#program(FLOOR_VERTEX, FLOOR_FRAGMENT);
    this.square = gl.createVertexArray();
    gl.bindVertexArray(this.square);
    this.#attribute(0, 2, gl.FLOAT, false, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]));
    gl.enable(gl.DEPTH_TEST);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  // corners [m] and normals of triangles, three a triangle; colours of 0 to 255
  mesh({ corners, normals, colours }) {
    const gl = this.gl, array = gl.createVertexArray();
    gl.bindVertexArray(array);
    const buffers = [
      this.#attribute(0, 3, gl.FLOAT, false, corners),
      this.#attribute(1, 3, gl.BYTE, true, normals),
      this.#attribute(2, 3, gl.UNSIGNED_BYTE, true, colours),
    ];
    return { array, buffers, count: corners.length / 3 };
  }

  forget(mesh) {
    this.gl.deleteVertexArray(mesh.array);
    for (const buffer of mesh.buffers) this.gl.deleteBuffer(buffer);
  }

  // things: { mesh, T, tint, tinted, opacity }; what is seen through comes last
  draw(view, things, floor) {
    const gl = this.gl;
    this.#begin(view.width, view.height);
    if (floor > 0) {
      gl.useProgram(this.floor.program);
      gl.uniformMatrix4fv(this.floor.camera, false, columns(view.matrix));
      gl.uniform1f(this.floor.reach, floor);
      gl.enable(gl.BLEND);
      gl.depthMask(false);
      gl.bindVertexArray(this.square);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
      gl.depthMask(true);
      gl.disable(gl.BLEND);
    }
    const { solid } = this;
    gl.useProgram(solid.program);
    gl.uniformMatrix4fv(solid.camera, false, columns(view.matrix));
    gl.uniform3fv(solid.eye, view.eye);
    for (const thing of things) {
      const through = (thing.opacity ?? 1) < 1;
      if (through) gl.enable(gl.BLEND);
      gl.uniformMatrix4fv(solid.place, false, columns(thing.T));
      gl.uniform3fv(solid.tint, thing.tint || [0, 0, 0]);
      gl.uniform1f(solid.tinted, thing.tinted || 0);
      gl.uniform1f(solid.opacity, thing.opacity ?? 1);
      gl.bindVertexArray(thing.mesh.array);
      gl.drawArrays(gl.TRIANGLES, 0, thing.mesh.count);
      if (through) gl.disable(gl.BLEND);
    }
  }

  // the index of the thing at a pixel, -1 for none; what is drawn meanwhile is to be drawn again
  at(view, things, x, y) {
    const gl = this.gl, { pick } = this, seen = new Uint8Array(4);
    this.#begin(view.width, view.height);
    gl.useProgram(pick.program);
    gl.uniformMatrix4fv(pick.camera, false, columns(view.matrix));
    things.forEach((thing, k) => {
      gl.uniformMatrix4fv(pick.place, false, columns(thing.T));
      gl.uniform3fv(pick.tint, [(k + 1) / 255, 0, 0]);
      gl.bindVertexArray(thing.mesh.array);
      gl.drawArrays(gl.TRIANGLES, 0, thing.mesh.count);
    });
    gl.readPixels(x, view.height - 1 - y, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, seen);
    return seen[3] ? seen[0] - 1 : -1;
  }

  #begin(width, height) {
    const gl = this.gl;
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  }

  #attribute(place, size, type, normalised, values) {
    const gl = this.gl, buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, size, type, normalised, 0, 0);
    return buffer;
  }

  #program(...sources) {
    const gl = this.gl, program = gl.createProgram();
    sources.forEach((source, k) => {
      const shader = gl.createShader(k ? gl.FRAGMENT_SHADER : gl.VERTEX_SHADER);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    });
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    const found = { program };
    for (let k = 0; k < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); k += 1) {
      const { name } = gl.getActiveUniform(program, k);
      found[name] = gl.getUniformLocation(program, name);
    }
    return found;
  }
}

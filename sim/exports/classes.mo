  connector FrameOut "Where the next body is joined: it is told the motion, and tells the force; all in base axes"
    output Real r[3](each unit = "m") "Position";
    output Real R[3, 3] "Rotation";
    output Real w[3](each unit = "rad/s") "Angular velocity";
    output Real a[3](each unit = "m/s2") "Acceleration, less that of gravity";
    output Real z[3](each unit = "rad/s2") "Angular acceleration";
    input Real f[3](each unit = "N") "Force on the next body";
    input Real t[3](each unit = "N.m") "Torque on the next body, about the frame";
  end FrameOut;

  connector FrameIn "Where a body is joined to the one before; see FrameOut"
    input Real r[3](each unit = "m");
    input Real R[3, 3];
    input Real w[3](each unit = "rad/s");
    input Real a[3](each unit = "m/s2");
    input Real z[3](each unit = "rad/s2");
    output Real f[3](each unit = "N");
    output Real t[3](each unit = "N.m");
  end FrameIn;

  connector ShaftOut "A shaft that tells how it turns, or slides, and is told its load"
    output Real angle;
    output Real speed;
    input Real torque "On it";
  end ShaftOut;

  connector ShaftIn "Who drives or loads a shaft; see ShaftOut"
    input Real angle;
    input Real speed;
    output Real torque;
  end ShaftIn;

  connector CommandOut "What a joint controller tells the motor, and what it must know of it"
    output Real reference(unit = "A") "Of the current, not yet limited";
    input Real angle(unit = "rad");
    input Real speed(unit = "rad/s");
    input Real free "1: the current is at no limit";
    input Real torque "In the gear";
  end CommandOut;

  connector CommandIn "A motor's side of the command; see CommandOut"
    input Real reference(unit = "A");
    output Real angle(unit = "rad");
    output Real speed(unit = "rad/s");
    output Real free;
    output Real torque;
  end CommandIn;

  model Base "What stands on the ground; its acceleration stands for gravity"
    parameter Real g[3](each unit = "m/s2") = {0, 0, -9.81};
    FrameOut frame_b;
  equation
    frame_b.r = {0, 0, 0};
    frame_b.R = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    frame_b.w = {0, 0, 0};
    frame_b.a = -g;
    frame_b.z = {0, 0, 0};
  end Base;

  model Link "A rigid body with an input and an output marker"
    parameter Real m(unit = "kg") = 1;
    parameter Real c[3](each unit = "m") = {0, 0, 0} "Centre of mass in the input marker";
    parameter Real I[3, 3](each unit = "kg.m2") = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} "About the centre";
    parameter Real d[3](each unit = "m") = {0, 0, 0} "Distance vector, input to output marker";
    parameter Real Q[3, 3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} "Rotation matrix, input to output marker";
    FrameIn frame_a;
    FrameOut frame_b;
  protected
    Real rc[3];
    Real rd[3];
    Real fc[3] "Force that the body needs";
    Real wl[3] "Angular velocity in the body's axes";
    Real zl[3];
    Real nl[3];
  equation
    rc = frame_a.R * c;
    rd = frame_a.R * d;
    frame_b.r = frame_a.r + rd;
    frame_b.R = frame_a.R * Q;
    frame_b.w = frame_a.w;
    frame_b.z = frame_a.z;
    frame_b.a = frame_a.a + cross(frame_a.z, rd) + cross(frame_a.w, cross(frame_a.w, rd));
    fc = m * (frame_a.a + cross(frame_a.z, rc) + cross(frame_a.w, cross(frame_a.w, rc)));
    wl = transpose(frame_a.R) * frame_a.w;
    zl = transpose(frame_a.R) * frame_a.z;
    nl = I * zl + cross(wl, I * wl);
    frame_a.f = frame_b.f + fc;
    frame_a.t = frame_b.t + cross(rd, frame_b.f) + frame_a.R * nl + cross(rc, fc);
  end Link;

  model Revolute "A joint that turns"
    parameter Real n[3] = {0, 0, 1} "Axis";
    parameter Real J(unit = "kg.m2") = 0 "Inertia of a rotor that is joined rigidly";
    parameter Real lower(unit = "rad") = -1e30 "Where its range ends";
    parameter Real upper(unit = "rad") = 1e30;
    parameter Real stiffness(unit = "N.m/rad") = 0 "Of the end stops";
    parameter Real damping(unit = "s/rad") = 0 "Of the end stops, by the depth";
    parameter Real q_start(unit = "rad") = 0;
    FrameIn frame_a;
    FrameOut frame_b;
    ShaftOut shaft;
    Real q(start = q_start, fixed = true, unit = "rad");
    Real qd(start = 0, fixed = true, unit = "rad/s");
    Real qdd(unit = "rad/s2");
  protected
    Real e[3] "Axis in base axes";
    Real stop "What the end stops give";
    Real s;
    Real k;
  equation
    der(q) = qd;
    der(qd) = qdd;
    shaft.angle = q;
    shaft.speed = qd;
    s = sin(q);
    k = cos(q);
    e = frame_a.R * n;
    frame_b.R = frame_a.R * {{k + (1 - k) * n[1] * n[1], (1 - k) * n[1] * n[2] - s * n[3], (1 - k) * n[1] * n[3] + s * n[2]},
      {(1 - k) * n[1] * n[2] + s * n[3], k + (1 - k) * n[2] * n[2], (1 - k) * n[2] * n[3] - s * n[1]},
      {(1 - k) * n[1] * n[3] - s * n[2], (1 - k) * n[2] * n[3] + s * n[1], k + (1 - k) * n[3] * n[3]}};
    frame_b.r = frame_a.r;
    frame_b.a = frame_a.a;
    frame_b.w = frame_a.w + e * qd;
    frame_b.z = frame_a.z + e * qdd + cross(frame_a.w, e) * qd;
    frame_a.f = frame_b.f;
    frame_a.t = frame_b.t;
    e * frame_b.t + J * qdd = shaft.torque + stop;
    stop = noEvent(if q > upper then -stiffness * (q - upper) * max(1 + damping * qd, 0)
      else if q < lower then stiffness * (lower - q) * max(1 - damping * qd, 0) else 0);
  end Revolute;

  model Prismatic "A joint that slides"
    parameter Real n[3] = {0, 0, 1} "Axis";
    parameter Real J(unit = "kg") = 0 "Inertia of a rotor that is joined rigidly";
    parameter Real lower(unit = "m") = -1e30 "Where its range ends";
    parameter Real upper(unit = "m") = 1e30;
    parameter Real stiffness(unit = "N/m") = 0 "Of the end stops";
    parameter Real damping(unit = "s/m") = 0 "Of the end stops, by the depth";
    parameter Real q_start(unit = "m") = 0;
    FrameIn frame_a;
    FrameOut frame_b;
    ShaftOut shaft;
    Real q(start = q_start, fixed = true, unit = "m");
    Real qd(start = 0, fixed = true, unit = "m/s");
    Real qdd(unit = "m/s2");
  protected
    Real e[3] "Axis in base axes";
    Real stop "What the end stops give";
  equation
    der(q) = qd;
    der(qd) = qdd;
    shaft.angle = q;
    shaft.speed = qd;
    e = frame_a.R * n;
    frame_b.R = frame_a.R;
    frame_b.r = frame_a.r + e * q;
    frame_b.w = frame_a.w;
    frame_b.z = frame_a.z;
    frame_b.a = frame_a.a + e * qdd + 2 * cross(frame_a.w, e) * qd + cross(frame_a.z, e) * q
      + cross(frame_a.w, cross(frame_a.w, e)) * q;
    frame_a.f = frame_b.f;
    frame_a.t = frame_b.t + cross(e * q, frame_b.f);
    e * frame_b.f + J * qdd = shaft.torque + stop;
    stop = noEvent(if q > upper then -stiffness * (q - upper) * max(1 + damping * qd, 0)
      else if q < lower then stiffness * (lower - q) * max(1 - damping * qd, 0) else 0);
  end Prismatic;

  model HeldRevolute "A joint that is held where it is told, for weights and the command at the tip"
    parameter Real n[3] = {0, 0, 1};
    input Real q;
    output Real torque "That holds it";
    output Real e[3];
    output Real r[3];
    FrameIn frame_a;
    FrameOut frame_b;
  protected
    Real s;
    Real k;
  equation
    s = sin(q);
    k = cos(q);
    e = frame_a.R * n;
    r = frame_a.r;
    frame_b.R = frame_a.R * {{k + (1 - k) * n[1] * n[1], (1 - k) * n[1] * n[2] - s * n[3], (1 - k) * n[1] * n[3] + s * n[2]},
      {(1 - k) * n[1] * n[2] + s * n[3], k + (1 - k) * n[2] * n[2], (1 - k) * n[2] * n[3] - s * n[1]},
      {(1 - k) * n[1] * n[3] - s * n[2], (1 - k) * n[2] * n[3] + s * n[1], k + (1 - k) * n[3] * n[3]}};
    frame_b.r = frame_a.r;
    frame_b.a = frame_a.a;
    frame_b.w = frame_a.w;
    frame_b.z = frame_a.z;
    frame_a.f = frame_b.f;
    frame_a.t = frame_b.t;
    torque = e * frame_b.t;
  end HeldRevolute;

  model HeldPrismatic "See HeldRevolute"
    parameter Real n[3] = {0, 0, 1};
    input Real q;
    output Real torque;
    output Real e[3];
    output Real r[3];
    FrameIn frame_a;
    FrameOut frame_b;
  equation
    e = frame_a.R * n;
    r = frame_a.r;
    frame_b.R = frame_a.R;
    frame_b.r = frame_a.r + e * q;
    frame_b.a = frame_a.a;
    frame_b.w = frame_a.w;
    frame_b.z = frame_a.z;
    frame_a.f = frame_b.f;
    frame_a.t = frame_b.t + cross(e * q, frame_b.f);
    torque = e * frame_b.f;
  end HeldPrismatic;

  model Tip "The end: the environment pushes here"
    input Real force[3](each unit = "N") "On the tip, base axes";
    input Real torque[3](each unit = "N.m");
    FrameIn frame_a;
  equation
    frame_a.f = -force;
    frame_a.t = -torque;
  end Tip;

  model DryFriction "Dry friction as stiff bristles (Canudas de Wit): what sticks creeps by presliding, no more"
    parameter Real viscous = 0;
    parameter Real presliding = 3e-9 "Deflection of the bristles at the greatest friction";
    parameter Real speed = 1e-4 "At which friction has fallen from sticking to sliding";
    parameter Real inertia = 1 "Of what it brakes, for the bristles' damping";
    parameter Real size = 1 "Greatest friction, for the bristles' stiffness";
    input Real w;
    input Real forwards "Friction while sliding";
    input Real backwards;
    input Real stick "Greatest friction while standing, forwards";
    input Real stick_back;
    output Real torque "Against the motion";
  protected
    Real z(start = 0, fixed = true) "Deflection by presliding";
    Real dz;
    Real g;
    Real fall;
    parameter Real damping = 2 * sqrt(size / presliding * inertia);
  equation
    fall = exp(-(w / speed) * (w / speed));
    g = noEvent(if w >= 0 then forwards + (stick - forwards) * fall else backwards + (stick_back - backwards) * fall);
    dz = w - size * noEvent(abs(w)) / noEvent(max(g, 1e-9 * size)) * z;
    presliding * der(z) = dz;
    torque = size * z + damping * fall * dz + viscous * w;
  end DryFriction;

  model Winding "Current loop, winding, heat of a motor"
    parameter Real k(unit = "N.m/A") = 1 "Torque constant";
    parameter Real R(unit = "Ohm") = 1;
    parameter Real L(unit = "H") = 1;
    parameter Real kp(unit = "V/A") = 1 "Of the current loop";
    parameter Real ki(unit = "V/(A.s)") = 1;
    parameter Real u_max(unit = "V") = 1e9;
    parameter Real i_max(unit = "A") = 1e9;
    parameter Real i_continuous(unit = "A") = 1e9;
    parameter Real alpha(unit = "1/K") = 0 "Rise of the resistance";
    parameter Real R_wh(unit = "K/W") = 1 "Winding to housing";
    parameter Real R_ha(unit = "K/W") = 1 "Housing to ambient";
    parameter Real C_w(unit = "J/K") = 1e12;
    parameter Real C_h(unit = "J/K") = 1e12;
    parameter Real T_limit(unit = "K") = 1e9 "From 0.9 of it the current's limit falls";
    parameter Real i_start(unit = "A") = 0;
    parameter Real on = 1 "0: the winding is open, there is no current";
    input Real reference(unit = "A");
    input Real w(unit = "rad/s");
    output Real torque(unit = "N.m");
    output Real free;
    Real i(start = i_start, fixed = true, unit = "A");
    Real u(unit = "V");
    Real T_w(start = 0, fixed = true, unit = "K") "Winding above ambient";
    Real T_h(start = 0, fixed = true, unit = "K") "Housing above ambient";
  protected
    Real y(start = R * i_start, fixed = true, unit = "V");
    Real limit(unit = "A");
    Real limited(unit = "A");
    Real asked(unit = "V");
  equation
    limit = noEvent(min(i_max, i_continuous + max(i_max - i_continuous, 0) * min(max(10 * (1 - T_w / T_limit), 0), 1)));
    limited = noEvent(min(max(reference, -limit), limit));
    asked = kp * (limited - i) + y;
    u = noEvent(min(max(asked, -u_max), u_max));
    free = noEvent(if abs(reference) <= limit and abs(asked) <= u_max then 1.0 else 0.0);
    der(y) = noEvent(if abs(asked) < u_max then ki * (limited - i) else 0.0);
    L * der(i) = on * (u - R * (1 + alpha * T_w) * i - k * w);
    torque = k * i;
    C_w * der(T_w) = R * (1 + alpha * T_w) * i * i - (T_w - T_h) / R_wh;
    C_h * der(T_h) = (T_w - T_h) / R_wh - T_h / R_ha;
  end Winding;

  model Motor "Winding, rotor and friction of the shaft; it turns freely, a gear loads it"
    extends MotorData;
    parameter Real theta_start(unit = "rad") = 0;
    ShaftOut shaft;
    Real theta(start = theta_start, fixed = true, unit = "rad");
    Real w(start = 0, fixed = true, unit = "rad/s");
  equation
    der(theta) = w;
    J * der(w) = winding.torque + shaft.torque - friction.torque;
    shaft.angle = theta;
    shaft.speed = w;
    winding.w = w;
    friction.w = w;
    load = -shaft.torque;
    command.angle = theta;
    command.speed = w;
    command.torque = load * ratio;
  end Motor;

  model RigidMotor "Winding and friction of a motor whose rotor moves with the joint, by the ratio"
    extends MotorData;
    ShaftIn joint;
  equation
    winding.w = ratio * joint.speed;
    friction.w = ratio * joint.speed;
    joint.torque = ratio * (winding.torque - friction.torque);
    load = winding.torque "what friction and rotor take of it is small";
    command.angle = ratio * joint.angle;
    command.speed = ratio * joint.speed;
    command.torque = load * ratio;
  end RigidMotor;

  partial model MotorData "What both kinds of motor have"
    parameter Real J(unit = "kg.m2") = 1e-4;
    parameter Real ratio = 1;
    parameter Real efficiency = 1 "Of the gear; the load's friction is the shaft's";
    parameter Real coulomb(unit = "N.m") = 0;
    parameter Real coulomb_back(unit = "N.m") = 0;
    parameter Real stick(unit = "N.m") = 0;
    CommandIn command;
    Winding winding;
    DryFriction friction;
    Real load(unit = "N.m") "Of the gear";
  protected
    Real drive;
    Real back;
  equation
    winding.reference = command.reference;
    command.free = winding.free;
    drive = noEvent((1 / efficiency - 1) * abs(load));
    back = noEvent((1 - efficiency) * abs(load));
    friction.forwards = noEvent(coulomb + (if load >= 0 then drive else back));
    friction.backwards = noEvent(coulomb_back + (if load >= 0 then back else drive));
    friction.stick = noEvent(max(friction.forwards, stick + (if load >= 0 then drive else back)));
    friction.stick_back = noEvent(max(friction.backwards, stick + (if load >= 0 then back else drive)));
  end MotorData;

  model ElasticGear "A gear with a spring of three lines, damping and backlash, on the joint's side"
    parameter Real ratio = 1;
    parameter Real k1 = 1;
    parameter Real k2 = 1;
    parameter Real k3 = 1;
    parameter Real x1 = 1 "Twist where the second line begins";
    parameter Real x2 = 2 "Twist where the third line begins";
    parameter Real damping = 0;
    parameter Real backlash = 0;
    ShaftIn motor;
    ShaftIn joint;
    Real twist;
  protected
    Real x;
    Real spring;
    Real pulls;
    Real torque;
  equation
    twist = motor.angle / ratio - joint.angle;
    x = noEvent(max(abs(twist) - backlash / 2, 0));
    spring = noEvent((if twist < 0 then -1 else 1) * (k1 * min(x, x1) + k2 * min(max(x - x1, 0), x2 - x1)
      + k3 * max(x - x2, 0)));
    pulls = spring + damping * (motor.speed / ratio - joint.speed);
    torque = noEvent(if backlash > 0 and pulls * spring <= 0 then 0 else pulls);
    joint.torque = torque;
    motor.torque = -torque / ratio;
  end ElasticGear;

  model JointFriction "Friction of a joint's bearing, between what drives the joint and the joint"
    parameter Real coulomb = 0;
    parameter Real coulomb_back = 0;
    parameter Real stick = 0;
    ShaftIn joint;
    ShaftOut drive;
    DryFriction friction;
  equation
    drive.angle = joint.angle;
    drive.speed = joint.speed;
    friction.w = joint.speed;
    friction.forwards = coulomb;
    friction.backwards = coulomb_back;
    friction.stick = noEvent(max(coulomb, stick));
    friction.stick_back = noEvent(max(coulomb_back, stick));
    joint.torque = drive.torque - friction.torque;
  end JointFriction;

  model Cascade "Controller: position P, velocity PI, on the motor's side"
    parameter Real ratio = 1;
    parameter Real k(unit = "N.m/A") = 1 "Torque constant";
    parameter Real kp(unit = "1/s") = 1;
    parameter Real kv(unit = "A.s/rad") = 1;
    parameter Real T(unit = "s") = 1;
    parameter Real z_start = 0;
    input Real q_ref;
    input Real dq_ref;
    input Real weight "That the drive must hold; 0 where it is not known";
    input Real sag "Of the gear under it";
    CommandOut command;
  protected
    Real e;
    Real z(start = z_start, fixed = true);
  equation
    e = kp * (ratio * (q_ref + sag) - command.angle) + ratio * dq_ref - command.speed;
    der(z) = command.free * e / T;
    command.reference = kv * (e + z) + weight / (ratio * k);
  end Cascade;

  model Impedance "Controller: a spring and a damper at the joint, with feedback of the torque"
    parameter Real ratio = 1;
    parameter Real k(unit = "N.m/A") = 1 "Torque constant";
    parameter Real stiffness = 1;
    parameter Real damping = 1;
    parameter Real kt = 0 "Gain of the torque";
    input Real q_ref;
    input Real dq_ref;
    input Real weight;
    input Real sag;
    CommandOut command;
  protected
    Real t;
  equation
    t = stiffness * (q_ref + sag - command.angle / ratio) + damping * (dq_ref - command.speed / ratio) + weight;
    command.reference = ((1 + kt) * t - kt * command.torque) / (ratio * k);
  end Impedance;

  model Off "No controller: no current is asked for"
    input Real q_ref;
    input Real dq_ref;
    input Real weight;
    input Real sag;
    CommandOut command;
  equation
    command.reference = 0;
  end Off;

  model Sag "The twist at which a gear holds a torque; see ElasticGear"
    parameter Real k1 = 1;
    parameter Real k2 = 1;
    parameter Real k3 = 1;
    parameter Real t1 = 1;
    parameter Real t2 = 2;
    parameter Real backlash = 0;
    input Real torque;
    output Real twist;
  protected
    Real size;
  equation
    size = noEvent(abs(torque));
    twist = noEvent((if torque > 0 then 1 else if torque < 0 then -1 else 0) * (backlash / 2 + min(size, t1) / k1
      + min(max(size - t1, 0), t2 - t1) / k2 + max(size - t2, 0) / k3));
  end Sag;

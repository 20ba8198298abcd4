"""Robots and sensors: protocol codecs and clients, the emulated controller and arm, the virtual operator."""

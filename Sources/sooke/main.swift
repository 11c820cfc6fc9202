print("sooke")
